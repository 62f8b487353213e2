//! What keeps a base set to its topic.

use std::collections::BTreeMap;

use super::BaseSet;
use crate::{Error, Links, Node};

impl BaseSet {
    /// Answers to a query taken as roots if nobody says how many. Kleinberg took 200 of a web's
    /// answers; of a collection's, those far down mention a word in passing, and lead away from it.
    pub const QUERY_ROOTS: usize = 50;

    /// Returns the links of the set that lead to roots, one per owner and root, under the numbers
    /// of [`Self::links`].
    ///
    /// Both are what Bharat and Henzinger (1998) found to keep HITS to its topic, without weights.
    /// A page that everybody links to, whatever he writes of, is no authority on the query. And
    /// many pages of one owner have one voice, that of the page with most such links: otherwise a
    /// farm, or a menu, is the most tightly knit group there is and takes all of the scores.
    /// `owner` is asked with nodes of the whole graph. O(arcs · log owners).
    pub fn on_topic(&self, owner: impl Fn(Node) -> u32) -> Result<Links, Error> {
        let links = self.links();
        let is_root = |place: &Node| self.is_root(self.nodes()[place.index()]);
        let num_roots = |from: Node| links.successors(from).filter(is_root).count();
        let breadth: Vec<usize> = links.nodes().map(num_roots).collect();
        let mut arcs = Vec::new();
        for to in links.nodes().filter(is_root) {
            let mut voices: BTreeMap<u32, Node> = BTreeMap::new();
            for from in links.predecessors(to) {
                let voice = voices.entry(owner(self.nodes()[from.index()])).or_insert(from);
                if breadth[from.index()] > breadth[voice.index()] {
                    *voice = from;
                }
            }
            arcs.extend(voices.into_values().map(|from| (from, to)));
        }
        Links::from_arcs(links.num_nodes(), arcs)
    }
}
