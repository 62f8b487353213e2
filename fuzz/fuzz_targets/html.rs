//! Fuzzes the reading of pages of HTML; what must hold is in `fuzz/src/html.rs`.

#![no_main]
#![allow(unsafe_code, missing_docs, reason = "the macro exports a C function")]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::html(data));
