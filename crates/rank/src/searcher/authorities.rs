//! Answers in the order of their authority: how much good hubs link to them (G5).

use std::collections::HashMap;
use std::ops::ControlFlow;

use graph::{BaseSet, BaseSetOptions, Graph, HitsOptions, HubsAndAuthorities, Node, hits};

use super::Search;
use super::find::Answer;
use crate::order::Ranked;
use crate::patience::Patience;
use crate::{Note, Part, WhyNot};

/// A query is not worth more steps: what moves then, moves far behind the point.
const STEPS: HitsOptions = HitsOptions { tolerance: 1e-6, max_iterations: 200 };

impl Search<'_> {
    /// Puts the authorities among the best answers first, best first, and says what was done.
    ///
    /// The roots are the first [`BaseSet::QUERY_ROOTS`] answers, whatever window is asked for, so
    /// that pages of a result fit together. The base set has at most
    /// [`BaseSetOptions::max_nodes`] pages and is read from the compressed graph, a bounded part of
    /// each list. When the time is over before it is known, the order stays as it was: one of half
    /// of the links would be chance.
    pub(super) fn sort_by_authority(&self, answers: &mut [Answer]) -> Note {
        let Some(graph) = self.links.graph() else {
            return Note::NoAuthorities(WhyNot::NoGraph);
        };
        let roots = self.roots(graph, answers);
        let nodes: Vec<Node> = roots.iter().map(|(_, node)| *node).collect();
        let (scores, said) = match authorities(graph, &nodes, &self.checker.patience) {
            Ok(found) => found,
            Err(graph::Error::Interrupted) => {
                return Note::NoAuthorities(WhyNot::NoTime);
            }
            Err(error) => {
                tracing::warn!(%error, "authorities cannot be found");
                return Note::NoAuthorities(WhyNot::Unreadable);
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

/// Returns the pages around some roots, with what they are as hubs and as authorities.
///
/// Links within a site do not count, and each voice counts once. When the time is over, it breaks
/// off with [`graph::Error::Interrupted`].
pub(crate) fn around(
    graph: &Graph,
    roots: &[Node],
    patience: &Patience,
) -> Result<(BaseSet, HubsAndAuthorities), graph::Error> {
    let (sites, voices) = (graph.sites()?, graph.voices_by_site()?);
    let is_same_site = |one, other| sites.site(one) == sites.site(other);
    let voice = |node| {
        let voice = sites.site(node).and_then(|site| voices.get(site as usize));
        voice.copied().unwrap_or(u32::MAX)
    };
    let watch = || match patience.is_over() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let options = BaseSetOptions::default();
    let base = BaseSet::new_with(graph, roots, &options, is_same_site, watch)?;
    let found = hits(&base.on_topic(voice)?, &STEPS)?;
    Ok((base, found))
}

/// Returns the authority of the roots that have any, and what they were found among.
fn authorities(
    graph: &Graph,
    roots: &[Node],
    patience: &Patience,
) -> Result<(HashMap<Node, f64>, Note), graph::Error> {
    let (base, found) = around(graph, roots, patience)?;
    let best = base.best(&found.authorities, roots.len());
    let (answers, linked, around) = (roots.len(), best.len(), base.nodes().len());
    let said = Note::Authorities { answers, linked, around, num_cut: base.num_cut() };
    Ok((best.into_iter().collect(), said))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use base::pages::Writer;
    use base::{Link, LinkKind, PageId, PageRecord, Rel, Timestamp, Url};
    use graph::BuildOptions;
    use tempfile::TempDir;

    use super::*;

    /// Returns the graph of so many pages that all link to one more, its node, and its folder.
    fn popular(num_linking: u64) -> (Graph, Node, TempDir) {
        let url = |name: &str| Url::parse(&format!("http://{name}.example/")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut log = Writer::open(&folder.path().join("pages")).unwrap();
        for index in 0..num_linking {
            let (target, rel) = (url("popular"), Rel::default());
            let link = Link { target, kind: LinkKind::Anchor, rel, anchor: String::new() };
            let id = PageId::new(0, index).unwrap();
            let at = Timestamp::from_millis(1_763_285_400_000);
            let page = PageRecord::new(id, url(&format!("p{index}")), at, 200);
            log.append(&PageRecord { links: vec![link], ..page }).unwrap();
        }
        log.sync().unwrap();
        let (pages, place) = (folder.path().join("pages"), folder.path().join("graph").join("1"));
        graph::build(&pages, &place, &BuildOptions::default(), &mut graph::unwatched).unwrap();
        let graph = Graph::open(&place).unwrap();
        let node = graph.node_of_url(&url("popular")).unwrap().unwrap();
        (graph, node, folder)
    }

    #[test]
    fn a_page_that_many_link_to_is_looked_at_in_part_and_no_longer_than_allowed() {
        let (graph, node, _folder) = popular(1_100);
        let patience = |until| Patience::until(until, None);
        let late = patience(Instant::now() + Duration::from_secs(3_600));
        let (scores, said) = authorities(&graph, &[node], &late).unwrap();
        assert_eq!(scores.get(&node), Some(&1.0));
        let said = said.to_string();
        assert!(said.contains("1 are linked to by hubs among the 51 pages"), "{said}");
        assert!(said.ends_with("looked at for 1 of these answers."), "{said}");
        let over = authorities(&graph, &[node], &patience(Instant::now()));
        assert!(matches!(over, Err(graph::Error::Interrupted)));
        let (graph, node, _folder) = popular(3);
        let (_, said) = authorities(&graph, &[node], &late).unwrap();
        assert!(said.to_string().ends_with("pages around them."), "{said}");
    }
}
