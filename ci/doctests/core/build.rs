//! Leaves the kernels out: the examples call `utfkit`, and what is compiled here only
//! has to be there.

fn main() {
    println!("cargo::rustc-cfg=utfkit_scalar");
    println!("cargo::rerun-if-changed=build.rs");
}
