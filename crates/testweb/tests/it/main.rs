//! The web seen from outside: through sockets, as a crawler or a browser would.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests may panic and say why they skip"
)]

mod client;
mod files;
mod generated;
mod names;
mod program;
mod scripted;
mod serving;
