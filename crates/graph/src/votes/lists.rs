//! Who links to a node, of those whose links count, node after node.

use crate::build::{Kinds, KindsFrom, UNVOUCHED};
use crate::compressed::Lists;
use crate::graph::{NOFOLLOW, TRANSPOSE};
use crate::weights::Table;
use crate::{Counted, Error, Graph, Node};

/// Which links of a generation count, ready to be read from any node on.
#[derive(Debug)]
pub(crate) struct CountedArcs<'g> {
    graph: &'g Graph,
    table: Table,
    has_weights: bool,
    counts_nofollow: bool,
    /// Kinds of the vouched and of the other links, where they matter.
    kinds: Option<(Kinds, Kinds)>,
}

impl<'g> CountedArcs<'g> {
    pub(crate) fn open(graph: &'g Graph, counted: &Counted) -> Result<Self, Error> {
        let open = |name, num_arcs| Kinds::open(&graph.folder().join(name), num_arcs);
        let summary = graph.summary();
        let kinds = match counted.looks_at_bits() {
            true => {
                let vouched = open(TRANSPOSE, summary.num_arcs)?;
                Some((vouched, open(NOFOLLOW, summary.num_nofollow)?))
            }
            false => None,
        };
        Ok(Self {
            graph,
            table: counted.table(),
            has_weights: counted.has_weights(),
            counts_nofollow: counted.nofollow.get() > 0.0,
            kinds,
        })
    }

    pub(crate) fn num_nodes(&self) -> u32 {
        self.graph.summary().num_nodes
    }

    /// Returns the weight of each class of arcs, if any counts in part.
    pub(crate) fn weights(&self) -> Option<Table> {
        self.has_weights.then_some(self.table)
    }

    /// Returns the lists from a node on, before which so many arcs are stored.
    pub(crate) fn lists(&self, from: Node, before: Before) -> Result<CountedLists<'_>, Error> {
        let kinds = |kinds: fn(&(Kinds, Kinds)) -> &Kinds, place| {
            self.kinds.as_ref().map(|both| kinds(both).from(place))
        };
        let vouched = Side {
            lists: self.graph.transpose().lists(from)?,
            kinds: kinds(|both| &both.0, before.vouched),
            class: 0,
            num_read: before.vouched,
            arcs: Vec::new(),
        };
        let unvouched = match self.counts_nofollow {
            true => Some(Side {
                lists: self.graph.nofollow().lists(from)?,
                kinds: kinds(|both| &both.1, before.unvouched),
                class: UNVOUCHED,
                num_read: before.unvouched,
                arcs: Vec::new(),
            }),
            false => None,
        };
        let (sources, classes) = (Vec::new(), Vec::new());
        Ok(CountedLists { counted: self, vouched, unvouched, sources, classes })
    }
}

/// How many arcs are stored before those of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Before {
    vouched: u64,
    unvouched: u64,
}

/// The sources of node after node, ascending, and the classes of the arcs.
pub(crate) struct CountedLists<'a> {
    counted: &'a CountedArcs<'a>,
    vouched: Side<'a>,
    unvouched: Option<Side<'a>>,
    sources: Vec<u32>,
    classes: Vec<u8>,
}

impl CountedLists<'_> {
    /// Returns the sources of the next node whose arcs count, and the classes of these.
    pub(crate) fn next(&mut self) -> Result<(&[u32], &[u8]), Error> {
        self.sources.clear();
        self.classes.clear();
        match (&mut self.unvouched, self.vouched.kinds.is_some()) {
            (None, false) => self.take_all()?,
            _ => self.merge()?,
        }
        Ok((&self.sources, &self.classes))
    }

    /// Takes every source of the next node: nothing but who links to it matters.
    fn take_all(&mut self) -> Result<(), Error> {
        let sources = self.vouched.lists.next()?;
        self.vouched.num_read += sources.len() as u64;
        self.sources.extend_from_slice(sources);
        self.classes.resize(self.sources.len(), 0);
        Ok(())
    }

    /// Takes the sources of the next node from both graphs, if their arcs count.
    fn merge(&mut self) -> Result<(), Error> {
        self.vouched.read()?;
        if let Some(unvouched) = &mut self.unvouched {
            unvouched.read()?;
        }
        let others = self.unvouched.as_ref().map_or(&[][..], |side| &side.arcs);
        let (mut one, mut other) = (self.vouched.arcs.iter().peekable(), others.iter().peekable());
        loop {
            let arc = match (one.peek(), other.peek()) {
                (None, None) => break,
                (Some(this), Some(that)) if this.0 > that.0 => other.next(),
                (None, Some(_)) => other.next(),
                (Some(this), that) => {
                    // An arc that is in both is vouched for, and judged as such.
                    if that.is_some_and(|that| that.0 == this.0) {
                        other.next();
                    }
                    one.next()
                }
            };
            let Some((source, class)) = arc.copied() else { break };
            if self.counted.table[usize::from(class)] > 0.0 {
                self.sources.push(source);
                self.classes.push(class);
            }
        }
        Ok(())
    }

    /// Returns how many arcs are stored before the node that comes next.
    pub(crate) fn before(&self) -> Before {
        let unvouched = self.unvouched.as_ref().map_or(0, |side| side.num_read);
        Before { vouched: self.vouched.num_read, unvouched }
    }
}

/// One of the two graphs that arcs are stored in.
struct Side<'a> {
    lists: Lists<'a>,
    kinds: Option<KindsFrom<'a>>,
    /// What is known of all its arcs.
    class: u8,
    num_read: u64,
    /// Sources and classes of the present node.
    arcs: Vec<(u32, u8)>,
}

impl Side<'_> {
    fn read(&mut self) -> Result<(), Error> {
        self.arcs.clear();
        let sources = self.lists.next()?;
        self.num_read += sources.len() as u64;
        for source in sources {
            let bits = match &mut self.kinds {
                Some(kinds) => kinds.next()?,
                None => 0,
            };
            self.arcs.push((*source, self.class | bits));
        }
        Ok(())
    }
}
