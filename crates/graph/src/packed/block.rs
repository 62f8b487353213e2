//! The arcs to some places that follow each other, near and far ones apart.

use std::ops::Range;

use super::{NEAR, radix};
use crate::InLinks;
use crate::pagerank::arcs::{Share, add_up, no_sums, total};

/// Who links to 65,536 places at most.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    first: usize,
    /// The near sources of each place: `near[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    near: Vec<u16>,
    /// Source and target of each far arc, counted from the first of the tile and of the block;
    /// ascending by source.
    far: Vec<[u16; 2]>,
    /// Where far arcs have the same upper bits of the source.
    tiles: Vec<Tile>,
}

/// Far arcs whose sources are `number * 65,536` and those that follow.
#[derive(Clone, Debug, PartialEq)]
struct Tile {
    number: u32,
    /// Where its arcs end; they begin where those of the tile before end.
    end: u32,
}

impl Block {
    /// Packs the arcs to `nodes`, which have the places from `first` on; `places` are those of all.
    pub(super) fn new(links: &InLinks, first: usize, nodes: &[u32], places: &[u32]) -> Self {
        let lists = || nodes.iter().map(|node| links.raw_sources(*node as usize));
        // Looked up at once, since a processor that does nothing else waits for many at a time.
        let mut sources = Vec::with_capacity(lists().map(<[u32]>::len).sum());
        for list in lists() {
            sources.extend(list.iter().map(|source| places[*source as usize]));
        }
        let is_near = |source: u32| (source as usize) < NEAR;
        let num_near = sources.iter().filter(|source| is_near(**source)).count();
        // Each is written to both, and counted in one: which it is cannot be foreseen. So both
        // have a place more than they need.
        let mut near = vec![0; num_near + 1];
        let mut far = vec![0; sources.len() - num_near + 1];
        let (mut at_near, mut at_far, mut rest) = (0, 0, &sources[..]);
        let mut starts = Vec::with_capacity(nodes.len() + 1);
        starts.push(0);
        for (target, list) in (0u64..).zip(lists()) {
            let (list, others) = rest.split_at(list.len());
            for source in list {
                near[at_near] = *source as u16;
                far[at_far] = u64::from(*source) << 16 | target;
                at_near += usize::from(is_near(*source));
                at_far += usize::from(!is_near(*source));
            }
            starts.push(at_near as u32);
            rest = others;
        }
        near.truncate(num_near);
        near.shrink_to_fit();
        far.truncate(at_far);
        drop(sources);
        let bits = usize::BITS - places.len().leading_zeros();
        radix::sort(&mut far, &mut Vec::new(), 16..16 + bits);
        let (far, tiles) = tiles(&far);
        Self { first, starts, near, far, tiles }
    }

    /// Returns the places whose arcs it has.
    pub(super) fn places(&self) -> Range<usize> {
        self.first..self.first + self.starts.len() - 1
    }

    /// Returns the arcs, from place to place, in no order.
    pub(super) fn arcs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let near = self.places().enumerate().flat_map(|(target, place)| {
            let sources = &self.near[self.list(target)];
            sources.iter().map(move |source| (usize::from(*source), place))
        });
        let far = self.tiles().flat_map(move |(number, arcs)| {
            arcs.iter().map(move |[source, target]| {
                (number * NEAR + usize::from(*source), self.first + usize::from(*target))
            })
        });
        near.chain(far)
    }

    /// Calls `give` with each place in turn and what its sources pass on to it. `sums` is room for
    /// as many sums as a block has places, of no matter what before and after.
    #[inline]
    pub(super) fn pull<S: Share>(
        &self,
        shares: &[S],
        sums: &mut Vec<S::Sum>,
        mut give: impl FnMut(usize, S::Sum),
    ) {
        // 16 bits are always in range of so many sums and shares: nothing is checked per arc.
        sums.resize(NEAR, S::ZERO);
        let given: &mut [S::Sum; NEAR] = sums.first_chunk_mut().expect("resized to as many");
        given[..self.places().len()].fill(S::ZERO);
        for (number, arcs) in self.tiles() {
            let shares = &shares[number * NEAR..];
            match shares.first_chunk::<NEAR>() {
                Some(shares) => push(arcs, |source| shares[usize::from(source)], given),
                None => push(arcs, |source| shares[usize::from(source)], given),
            }
        }
        let first: &[S; NEAR] = shares.first_chunk().expect("more nodes than near places");
        let mut start = 0;
        for (target, place) in self.places().enumerate() {
            let end = self.starts[target + 1] as usize;
            let mut sums = no_sums::<S>();
            sums[0] = given[target];
            add_up(&self.near[start..end], &mut sums, |source| first[usize::from(source)]);
            start = end;
            give(place, total::<S>(sums));
        }
    }

    fn list(&self, target: usize) -> Range<usize> {
        self.starts[target] as usize..self.starts[target + 1] as usize
    }

    /// Returns the number and the arcs of each tile.
    fn tiles(&self) -> impl Iterator<Item = (usize, &[[u16; 2]])> {
        let mut start = 0;
        self.tiles.iter().map(move |tile| {
            let arcs = start..tile.end as usize;
            start = arcs.end;
            (tile.number as usize, &self.far[arcs])
        })
    }
}

/// Adds what the source of each arc passes on to what its target is given.
#[inline]
fn push<S: Share>(arcs: &[[u16; 2]], share: impl Fn(u16) -> S, given: &mut [S::Sum; NEAR]) {
    for [source, target] in arcs {
        share(*source).add(&mut given[usize::from(*target)]);
    }
}

/// Cuts far arcs, ascending, `source << 16 | target`, into tiles.
fn tiles(keys: &[u64]) -> (Vec<[u16; 2]>, Vec<Tile>) {
    let mut tiles: Vec<Tile> = Vec::new();
    let mut end = 0;
    for tile in keys.chunk_by(|one, next| one >> 32 == next >> 32) {
        end += tile.len() as u32;
        tiles.push(Tile { number: (tile[0] >> 32) as u32, end });
    }
    (keys.iter().map(|key| [(key >> 16) as u16, *key as u16]).collect(), tiles)
}
