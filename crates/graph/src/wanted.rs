//! The pages that matter and were not fetched: what a crawl should take next (C3).

use base::{Collection, Generation, Url};

use crate::{Error, Graph, Node, read_node_scores};

/// Nodes looked at for each one that is wanted: most of the best are fetched already.
const LOOKED_AT: usize = 20;

/// Returns up to `limit` known pages that were not fetched, best first, with their PageRank as a
/// multiple of the average page's.
///
/// Cost: reads the scores and sorts the best of them; a block of the nodes' file per node.
pub fn wanted(
    collection: &Collection,
    generation: Generation,
    limit: usize,
) -> Result<Vec<(Url, f32)>, Error> {
    let graph = Graph::open(&collection.graph(generation))?;
    let scores = read_node_scores(&collection.scores(generation))?;
    let mut nodes: Vec<Node> = (0..graph.summary().num_nodes).map(Node).collect();
    let best_first = |a: &Node, b: &Node| {
        let score = |node: &Node| scores.get(node.0 as usize).copied().unwrap_or(0.0);
        score(b).total_cmp(&score(a)).then(a.cmp(b))
    };
    let looked_at = limit.saturating_mul(LOOKED_AT).min(nodes.len());
    if looked_at == 0 {
        return Ok(Vec::new());
    }
    nodes.select_nth_unstable_by(looked_at - 1, best_first);
    nodes.truncate(looked_at);
    nodes.sort_unstable_by(best_first);
    let mut wanted = Vec::new();
    for node in nodes {
        if wanted.len() == limit {
            break;
        }
        if graph.page(node)?.is_none()
            && let Some(url) = graph.url(node)?
        {
            let score = scores.get(node.0 as usize).copied().unwrap_or(0.0);
            wanted.push((url, score * scores.len() as f32));
        }
    }
    Ok(wanted)
}
