//! Addresses, logs and collections, through what others see of them.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail where it stands")]

mod collection;
mod erase;
mod log;
mod pages;
mod url;
mod url_data;
mod url_hostile;
mod url_properties;
mod url_rules;
