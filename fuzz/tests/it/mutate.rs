//! Makes inputs of stored ones: changed, cut, repeated, mixed with each other.

use fastrand::Rng;

/// Longest input made.
const MOST_BYTES: usize = 8 * 1024;
/// Most times that a part is repeated.
const MOST_REPEATS: usize = 40;

/// Bytes that mean something to one reader or another.
const TELLING: &[u8] =
    b"<>/&;#=\"'!-?*$%():,. \n\r\t\0\x1B\x1F\x7F\x80\xC3\xE2\xEF\xF0\xFE\xFF09azAZ";

/// Makes inputs by chance, the same ones from the same seed.
pub(crate) struct Maker<'a> {
    chance: Rng,
    inputs: &'a [Vec<u8>],
}

impl<'a> Maker<'a> {
    pub(crate) fn new(seed: u64, inputs: &'a [Vec<u8>]) -> Self {
        Self { chance: Rng::with_seed(seed), inputs }
    }

    /// Returns another input.
    pub(crate) fn make(&mut self) -> Vec<u8> {
        let mut input = self.any().to_vec();
        for _ in 0..self.chance.usize(1..=8) {
            self.change(&mut input);
            input.truncate(MOST_BYTES);
        }
        input
    }

    fn any(&mut self) -> &'a [u8] {
        &self.inputs[self.chance.usize(..self.inputs.len())]
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let place = self.chance.usize(..=input.len());
        let (start, end) = self.part(input.len());
        match self.chance.u8(..7) {
            0 if place < input.len() => input[place] ^= 1 << self.chance.u8(..8),
            1 => input.insert(place, TELLING[self.chance.usize(..TELLING.len())]),
            2 => input.insert(place, self.chance.u8(..)),
            3 => drop(input.drain(start..end)),
            4 => {
                let times = self.chance.usize(1..=MOST_REPEATS);
                let part = input[start..end].repeat(times);
                input.splice(place..place, part);
            }
            5 => {
                let other = self.any();
                let (start, end) = self.part(other.len());
                input.splice(place..place, other[start..end].iter().copied());
            }
            _ => input.truncate(place),
        }
    }

    /// Returns a part of an input, more often a short one.
    fn part(&mut self, length: usize) -> (usize, usize) {
        let start = self.chance.usize(..=length);
        let most = if self.chance.bool() { 16 } else { length };
        (start, (start + self.chance.usize(..=most)).min(length))
    }
}
