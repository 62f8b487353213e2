//! Term spam (S1).
