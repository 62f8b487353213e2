//! The archive from outside: what is written is read back, by us and by others, whatever happens
//! to the files in between.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests")]

mod crash;
mod damage;
mod erase;
mod foreign;
mod full_disk;
mod import;
mod revisit;
mod round_trip;
mod stored;
mod support;
mod tools;
