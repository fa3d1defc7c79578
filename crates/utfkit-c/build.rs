//! The name that programs load `libutfkit.so` by.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Before 1.0 each minor version is another library. The symbols have no versions of their own:
    // rustc gives the linker a list of them that no other list can refine.
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libutfkit.so.0.1");
    }
}
