//! Documents of office programs and printers, read in this process: good ones.
//! What may harm is read in a process of its own, by the tests of `cli`.

mod markdown;
mod real;
mod rtf;
