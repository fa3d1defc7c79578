//! Leaves out everything but the examples, which rustdoc reads from the sources and links
//! with `utfkit`: there is nothing here to compile.

fn main() {
    println!("cargo::rustc-cfg=utfkit_examples");
    println!("cargo::rerun-if-changed=../build.rs");
}
