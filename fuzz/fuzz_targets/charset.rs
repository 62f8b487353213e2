//! Fuzzes the reading of bytes in any character set; what must hold is in `fuzz/src/charset.rs`.

#![no_main]
#![allow(unsafe_code, missing_docs, reason = "the macro exports a C function")]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::charset(data));
