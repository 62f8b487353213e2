//! The web seen from outside: through sockets, as a crawler or a browser would.

mod client;
mod names;
mod serving;
