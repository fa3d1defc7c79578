//! Sets the soname of `libutfkit.so`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Before 1.0 each minor version has its own soname. The symbols have no versions: rustc gives the linker a
    // list of them that cannot be refined.
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libutfkit.so.0.1");
    }
}
