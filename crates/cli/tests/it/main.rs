//! Tests of the whole program and of the whole repository.

mod tidy;
