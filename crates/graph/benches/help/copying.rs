//! Successor lists of a made-up web in the order of its addresses, as compression likes them:
//! pages of a site have its menu, copy links of pages before them, and link around them.

use super::random::Random;

/// How often a page begins a new site.
const NEW_SITE: f64 = 0.02;
/// How often a page has no links.
const DEAD_END: f64 = 0.15;
/// How often a link of the page that is copied is taken over.
const COPYING: f64 = 0.6;
/// How far before a page is the one that it copies at most.
const NEAR: u32 = 9;

/// Makes the list of each node, about 13 arcs long on average.
pub(crate) fn lists(num_nodes: u32, seed: u64) -> Vec<Vec<u32>> {
    let mut random = Random(seed);
    let mut lists: Vec<Vec<u32>> = Vec::new();
    let mut menu = Vec::new();
    for node in 0..num_nodes {
        if node == 0 || random.share() < NEW_SITE {
            menu = (node..).take(3 + random.below(8) as usize).collect();
            menu.extend((0..random.below(4)).map(|_| random.below(num_nodes)));
        }
        let mut list = Vec::new();
        if random.share() >= DEAD_END {
            if random.share() < 0.8 {
                list.extend_from_slice(&menu);
            }
            if let Some(model) = node.checked_sub(1 + random.below(NEAR)) {
                let model = &lists[model as usize];
                list.extend(model.iter().filter(|_| random.share() < COPYING));
            }
            for _ in 0..random.below(5) {
                // Mostly near, now and then far.
                let reach = 2 << random.below(12);
                list.push((node + random.below(reach)).saturating_sub(reach / 2));
            }
            list.extend((0..random.below(3)).map(|_| random.below(num_nodes)));
        }
        list.retain(|to| *to < num_nodes);
        list.sort_unstable();
        list.dedup();
        lists.push(list);
    }
    lists
}
