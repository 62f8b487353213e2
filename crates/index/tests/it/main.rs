//! The index from the outside: fed from page logs, killed, damaged, checked.

mod anchors;
mod faults;
mod live;
mod web;
