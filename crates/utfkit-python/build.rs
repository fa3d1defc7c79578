//! `cfg(Py_3_12)` and so on: which Python this is built for.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
