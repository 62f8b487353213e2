//! What other people's tests and hostile pages say of our addresses.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail where it stands")]

mod url_data;
mod url_hostile;
mod url_properties;
mod url_rules;
