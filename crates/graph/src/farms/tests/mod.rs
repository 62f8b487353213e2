//! Made-up webs with and without spam.

mod bombs;
mod healthy;
mod large;
mod spam;
mod web;
