//! The index from the outside: fed from page logs, killed, damaged, checked.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod anchors;
mod faults;
mod filling;
mod forgotten;
mod live;
mod process;
mod sorted;
mod swapped;
mod web;
