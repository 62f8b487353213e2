//! Crawls of made-up webs on loopback, judged by the server's own log and by what is on disk.

mod help;
mod polite;
mod robust;
mod whole;
