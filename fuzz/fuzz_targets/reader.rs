#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| utfkit_oracles::reader::run(data));
