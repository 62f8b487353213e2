//! Room for the sums of a step, kept from one step to the next.
//!
//! A block of packed links adds into half a megabyte. Asked for anew by every thread in every step,
//! that came from the system each time, page by page: half of a step of cnr-2000 where freed
//! memory is given back at once.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Rooms that no thread is using.
pub(crate) struct Rooms<T>(Mutex<Vec<Vec<T>>>);

impl<T> Rooms<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Returns a room for one thread, with no matter what in it; it comes back when it is dropped.
    pub(crate) fn take(&self) -> Room<'_, T> {
        let sums = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Room { rooms: self, sums: sums.unwrap_or_default() }
    }
}

/// One of them.
pub(crate) struct Room<'a, T> {
    rooms: &'a Rooms<T>,
    sums: Vec<T>,
}

impl<T> Deref for Room<'_, T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.sums
    }
}

impl<T> DerefMut for Room<'_, T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.sums
    }
}

impl<T> Drop for Room<'_, T> {
    fn drop(&mut self) {
        let mut free = self.rooms.0.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(std::mem::take(&mut self.sums));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_that_comes_back_is_given_out_again() {
        let rooms = Rooms::new();
        let (mut one, other) = (rooms.take(), rooms.take());
        one.push(7);
        drop(one);
        assert_eq!(*rooms.take(), [7]);
        assert!(other.is_empty());
    }
}
