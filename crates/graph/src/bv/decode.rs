//! The decoder of successor lists, for reading them in turn and for reading any of them.
//!
//! Every function returns `None` where the bits end or say what cannot be. Lists that come out are
//! strictly ascending and name nodes that are there.

use std::path::Path;

use super::bits::{BitReader, Code, signed};
use super::properties::Properties;
use crate::Error;

/// Reads the parts of a list in their order: head, what is copied, what is extra.
#[derive(Debug)]
pub(crate) struct Decoder<'a> {
    properties: &'a Properties,
    bits: BitReader<'a>,
    scratch: Vec<u32>,
}

/// What a list begins with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) node: u32,
    pub(crate) degree: usize,
    /// How many nodes before this one is that whose list it refers to; 0 if it does to none.
    pub(crate) reference: u32,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(properties: &'a Properties, bits: BitReader<'a>) -> Self {
        Self { properties, bits, scratch: Vec::new() }
    }

    /// Uses the room of a list that nobody needs any more.
    pub(crate) fn take_room(&mut self, list: Vec<u32>) {
        self.scratch = list;
    }

    #[inline]
    pub(crate) fn head(&mut self, node: u32) -> Option<Head> {
        let Properties { num_nodes, parameters, .. } = self.properties;
        let degree = self.bits.read(parameters.codes.degree)?;
        if degree > u64::from(*num_nodes) {
            return None;
        }
        let mut reference = 0;
        if degree > 0 && parameters.window > 0 {
            let found = self.bits.read(parameters.codes.reference)?;
            reference = u32::try_from(found).ok()?;
            if reference > parameters.window.min(node) {
                return None;
            }
        }
        Some(Head { node, degree: degree as usize, reference })
    }

    /// Returns how many of the list referred to are needed to copy `most`; moves no further.
    pub(crate) fn needed(&self, most: usize) -> Option<usize> {
        let mut bits = self.bits;
        let code = self.properties.parameters.codes.block;
        let num_blocks = bits.read(code)?;
        let (mut place, mut copied) = (0usize, 0usize);
        for block in 0..num_blocks {
            let len = usize::try_from(bits.read(code)?).ok()?;
            let len = len.checked_add(usize::from(block > 0))?;
            if block % 2 == 0 {
                if len >= most - copied {
                    return place.checked_add(most - copied);
                }
                copied += len;
            }
            place = place.checked_add(len)?;
        }
        let tail = if num_blocks % 2 == 0 { most - copied } else { 0 };
        Some(place.saturating_add(tail))
    }

    /// Appends what is copied of the list that this one refers to, which has `degree` nodes, of
    /// which `source` are the first. Returns how many are copied if all of them are there.
    #[inline]
    pub(crate) fn copy(
        &mut self,
        source: &[u32],
        degree: usize,
        list: &mut Vec<u32>,
    ) -> Option<usize> {
        let code = self.properties.parameters.codes.block;
        let num_blocks = self.bits.read(code)?;
        let (mut place, mut copied) = (0usize, 0);
        let mut take = |from: usize, to: usize| {
            list.extend_from_slice(source.get(from..to.min(source.len())).unwrap_or_default());
        };
        for block in 0..num_blocks {
            let len = usize::try_from(self.bits.read(code)?).ok()?;
            // Only the first can be empty.
            let len = len.checked_add(usize::from(block > 0))?;
            let end = place.checked_add(len).filter(|end| *end <= degree)?;
            if block % 2 == 0 {
                take(place, end);
                copied += len;
            }
            place = end;
        }
        if num_blocks % 2 == 0 {
            take(place, degree);
            copied += degree - place;
        }
        Some(copied)
    }

    /// Merges what is not `copied` into the list, of each sort the first `most`.
    #[inline]
    pub(crate) fn extra(
        &mut self,
        head: Head,
        copied: usize,
        most: usize,
        list: &mut Vec<u32>,
    ) -> Option<()> {
        let mut left = head.degree.checked_sub(copied)?;
        if left == 0 {
            return Some(());
        }
        if self.properties.parameters.min_interval > 0 {
            let middle = list.len();
            left = self.intervals(head.node, left, most, list)?;
            self.merge(list, middle)?;
        }
        let middle = list.len();
        self.residuals(head.node, left.min(most), list)?;
        self.merge(list, middle)?;
        list.last().is_none_or(|last| *last < self.properties.num_nodes).then_some(())
    }

    /// Appends runs of successive nodes; returns how many of `left` nodes are in none.
    fn intervals(
        &mut self,
        node: u32,
        mut left: usize,
        most: usize,
        list: &mut Vec<u32>,
    ) -> Option<usize> {
        let code = self.properties.parameters.codes.interval;
        let min_interval = u64::from(self.properties.parameters.min_interval);
        let num_intervals = self.bits.read(code)?;
        let mut next = i64::from(node);
        let mut room = most;
        for interval in 0..num_intervals {
            let gap = self.bits.read(code)?;
            let gap = if interval == 0 {
                signed(gap)
            } else {
                i64::try_from(gap).ok()?.checked_add(1)?
            };
            let len = self.bits.read(code)?.checked_add(min_interval)?;
            let len = usize::try_from(len).ok()?;
            left = left.checked_sub(len)?;
            let first = u32::try_from(next.checked_add(gap)?).ok()?;
            let end = first.checked_add(u32::try_from(len).ok()?)?;
            // Checked before the run is made: both ends are numbers of nodes.
            list.extend((first..end).take(room));
            room = room.saturating_sub(len);
            next = end.into();
        }
        Some(left)
    }

    /// Appends single nodes.
    #[inline]
    fn residuals(&mut self, node: u32, count: usize, list: &mut Vec<u32>) -> Option<()> {
        if count == 0 {
            return Some(());
        }
        // The usual code is worth a loop of its own.
        match self.properties.parameters.codes.residual {
            Code::Zeta(3) => residuals(&mut self.bits, node, count, list, |bits| bits.zeta(3)),
            code => residuals(&mut self.bits, node, count, list, |bits| bits.read(code)),
        }
    }

    /// Merges the two ascending parts of a list; `None` if a node is in both.
    #[inline]
    fn merge(&mut self, list: &mut [u32], middle: usize) -> Option<()> {
        let (head, tail) = list.split_at(middle);
        let (Some(before), Some(first)) = (head.last(), tail.first()) else { return Some(()) };
        if before < first {
            return Some(());
        }
        self.scratch.clear();
        self.scratch.extend_from_slice(tail);
        let mut left = middle;
        for (place, next) in self.scratch.iter().enumerate().rev() {
            // `place` of the tail and `left` of the head are to come: the next goes behind them.
            while left > 0 && list[left - 1] > *next {
                list[left + place] = list[left - 1];
                left -= 1;
            }
            if left > 0 && list[left - 1] == *next {
                return None;
            }
            list[left + place] = *next;
        }
        Some(())
    }
}

#[inline]
fn residuals(
    bits: &mut BitReader<'_>,
    node: u32,
    count: usize,
    list: &mut Vec<u32>,
    read: impl Fn(&mut BitReader<'_>) -> Option<u64>,
) -> Option<()> {
    let mut local = *bits;
    let first = i64::from(node).checked_add(signed(read(&mut local)?))?;
    let mut last = u32::try_from(first).ok()?;
    list.push(last);
    for _ in 1..count {
        let next = u64::from(last).checked_add(read(&mut local)?)?.checked_add(1)?;
        last = u32::try_from(next).ok()?;
        list.push(last);
    }
    *bits = local;
    Some(())
}

/// Successor lists in turn.
#[derive(Debug)]
pub(crate) struct Lists<'a> {
    decoder: Decoder<'a>,
    /// Node whose list comes next.
    node: u32,
    /// The lists that may still be referred to, each at its node's number modulo their number,
    /// which is a power of two.
    recent: Vec<Vec<u32>>,
}

impl<'a> Lists<'a> {
    pub(crate) fn new(properties: &'a Properties, bits: BitReader<'a>) -> Self {
        Self::from(properties, bits, 0, |_| None).expect("no list is before the first")
    }

    /// Reads lists from a node on, at whose list the bits begin; `list` returns those before it.
    pub(crate) fn from(
        properties: &'a Properties,
        bits: BitReader<'a>,
        node: u32,
        list: impl Fn(u32) -> Option<Vec<u32>>,
    ) -> Option<Self> {
        let window = properties.parameters.window;
        let room = (window as usize + 1).next_power_of_two();
        let recent = vec![Vec::new(); room];
        let mut lists = Self { decoder: Decoder::new(properties, bits), node, recent };
        for before in node.saturating_sub(window)..node {
            let slot = lists.slot(before);
            lists.recent[slot] = list(before)?;
        }
        Some(lists)
    }

    /// Returns how many bits were read.
    pub(crate) fn position(&self) -> u64 {
        self.decoder.bits.position()
    }

    /// Reads the next list; `None` if that cannot be, or has more than `most` nodes.
    ///
    /// Linear in what it returns and in the bits read.
    #[inline]
    pub(crate) fn next(&mut self, most: u64) -> Option<&[u32]> {
        let head = self.decoder.head(self.node)?;
        if head.degree as u64 > most {
            return None;
        }
        let slot = self.slot(head.node);
        let mut list = std::mem::take(&mut self.recent[slot]);
        list.clear();
        let mut copied = 0;
        if head.reference > 0 {
            let source = &self.recent[self.slot(head.node - head.reference)];
            copied = self.decoder.copy(source, source.len(), &mut list)?;
        }
        self.decoder.extra(head, copied, usize::MAX, &mut list)?;
        self.node += 1;
        self.recent[slot] = list;
        Some(&self.recent[slot])
    }

    fn slot(&self, node: u32) -> usize {
        node as usize & (self.recent.len() - 1)
    }
}

/// Returns what to say of a list that cannot be.
pub(crate) fn damaged(path: &Path, node: u32) -> Error {
    Error::damaged(path, format!("the links of node {node} are not readable"))
}
