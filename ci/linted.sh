# For `source`: from here on each `cargo build` and `cargo test` runs Clippy over the crates of
# the workspace that it compiles, and fails at a warning, as `cargo clippy --no-deps` does. A
# run of Clippy of its own would compile the large dependencies a second time.
# RUSTC_WORKSPACE_WRAPPER is what `cargo clippy` sets.
export RUSTC_WORKSPACE_WRAPPER=clippy-driver
export CLIPPY_ARGS="--no-deps__CLIPPY_HACKERY__-Dwarnings__CLIPPY_HACKERY__-Dclippy::incompatible_msrv__CLIPPY_HACKERY__"
