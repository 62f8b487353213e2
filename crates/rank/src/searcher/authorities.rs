//! Answers in the order of their authority: how much good hubs link to them (G5).

use std::cell::RefCell;
use std::collections::HashMap;

use base::Host;
use graph::{BaseSet, BaseSetOptions, Graph, HitsOptions, Node, Sites, hits};

use super::Search;
use super::find::Answer;
use crate::Part;
use crate::order::Ranked;

/// A query is not worth more steps: what moves then, moves far behind the point.
const STEPS: HitsOptions = HitsOptions { tolerance: 1e-6, max_iterations: 200 };

impl Search<'_> {
    /// Puts the authorities among the best answers first, best first, and says what was done.
    ///
    /// The roots are the first [`BaseSet::QUERY_ROOTS`] answers, whatever window is asked for, so
    /// that pages of a result fit together. The base set has at most
    /// [`BaseSetOptions::max_nodes`] pages and is read from the compressed graph.
    pub(super) fn sort_by_authority(&self, answers: &mut [Answer]) -> String {
        let Some(graph) = self.links.graph() else {
            return "There is no link graph yet: answers are ordered by relevance.".to_owned();
        };
        let roots = self.roots(graph, answers);
        let nodes: Vec<Node> = roots.iter().map(|(_, node)| *node).collect();
        let (scores, said) = match authorities(graph, &nodes) {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, "authorities cannot be found");
                return "Authorities cannot be found: answers are ordered by relevance.".to_owned();
            }
        };
        let by_answer: HashMap<usize, f64> = roots
            .iter()
            .filter_map(|(place, node)| scores.get(node).map(|score| (*place, *score)))
            .collect();
        for (place, answer) in answers.iter_mut().enumerate() {
            let score = by_answer.get(&place).copied().unwrap_or(0.0) as f32;
            answer.replace(Part::new("authority", score, 1.0));
        }
        // Keeps the order of equals: those that no hub links to stay in that of relevance.
        answers.sort_by(|one, other| other.score().total_cmp(&one.score()));
        said
    }

    /// Returns the places and nodes of the answers that are roots.
    fn roots(&self, graph: &Graph, answers: &[Answer]) -> Vec<(usize, Node)> {
        let mut roots = Vec::new();
        for (place, answer) in answers.iter().enumerate() {
            let Answer::Page(Ranked { candidate, .. }) = answer else { continue };
            let node = graph.node_of_page(self.snapshot.page(candidate.address));
            roots.extend(node.map(|node| (place, node)));
            if roots.len() == BaseSet::QUERY_ROOTS {
                break;
            }
        }
        roots
    }
}

/// Returns the authority of the roots that have any, and what they were found among.
fn authorities(
    graph: &Graph,
    roots: &[Node],
) -> Result<(HashMap<Node, f64>, String), graph::Error> {
    let owners = Owners { sites: graph.sites()?, known: RefCell::default() };
    let options = BaseSetOptions::default();
    let is_inside = |one, other| owners.owner(one) == owners.owner(other);
    let base = BaseSet::new(graph, roots, &options, is_inside)?;
    let links = base.on_topic(|node| owners.owner(node))?;
    let found = hits(&links, &STEPS)?;
    let best = base.best(&found.authorities, roots.len());
    let said = format!(
        "Ordered by authority (HITS): of the first {} answers, {} are linked to by hubs among the \
         {} pages around them.",
        roots.len(),
        best.len(),
        base.nodes().len()
    );
    Ok((best.into_iter().collect(), said))
}

/// Whose pages are: the registered domain of the web site they are of.
///
/// A site alone would not do: a farm has as many sites as it has hosts.
struct Owners<'a> {
    sites: &'a Sites,
    known: RefCell<Known>,
}

/// What was asked for before.
#[derive(Default)]
struct Known {
    by_site: HashMap<u32, u32>,
    by_domain: HashMap<String, u32>,
}

impl Owners<'_> {
    /// Returns the number of a node's owner.
    fn owner(&self, node: Node) -> u32 {
        let Some(site) = self.sites.site(node) else { return u32::MAX };
        let mut known = self.known.borrow_mut();
        if let Some(owner) = known.by_site.get(&site) {
            return *owner;
        }
        // Sites are called by a domain, a host, or a host and a folder.
        let name = self.sites.names().get(site as usize).map_or("", |name| name);
        let host = name.split('/').next().unwrap_or_default();
        let domain = match Host::parse(host) {
            Some(host) => host.site().as_str().to_owned(),
            None => host.to_owned(),
        };
        let next = u32::try_from(known.by_domain.len()).unwrap_or(u32::MAX);
        let owner = *known.by_domain.entry(domain).or_insert(next);
        known.by_site.insert(site, owner);
        owner
    }
}
