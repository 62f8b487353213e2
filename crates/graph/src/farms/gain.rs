//! What exchanges and shared targets bring the pages that the links lead to.
//!
//! As with a farm it is measured: the graph is ranked once more without the links of everything
//! that was found. A farm has one target, these have many, so ranks are added up over them.

use std::ops::ControlFlow;

use super::demote::without_spam;
use super::hosts::Hosts;
use super::{Evidence, SpamReport, percent};
use crate::{Error, Iteration, Links, PageRankOptions, pagerank_with};

/// Ranks of the targets of a structure, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gain {
    /// With all links.
    pub rank: f64,
    /// When the links of all structures found do not count.
    pub without: f64,
}

impl Gain {
    /// Returns the boost: the rank less the rank without these links. Below 0 if the links, all
    /// in all, bring the targets less than the pages that give them would without them.
    pub fn boost(&self) -> f64 {
        self.rank - self.without
    }

    fn tell(&self) -> String {
        let Self { rank, without } = self;
        let ranks = format!("without these links the targets would have a rank of {without:.3e}");
        match self.boost() > 0.0 {
            true => {
                let share = percent(self.boost() / rank);
                format!("{ranks} together instead of {rank:.3e}: {share} of it is theirs")
            }
            false => format!("{ranks} together, and have no more with them: {rank:.3e}"),
        }
    }
}

/// Measures every exchange and every set of shared targets of a report, and says so in its reasons.
///
/// `ranks` are those with all links, by the same options. Costs one ranking if there is any.
pub(super) fn measure(
    report: &mut SpamReport,
    (links, hosts): (&Links, &Hosts<'_>),
    ranks: &[f64],
    options: &PageRankOptions,
    watch: &mut dyn FnMut(Iteration) -> ControlFlow<()>,
) -> Result<(), Error> {
    let has_gain = |evidence: &Evidence| {
        matches!(evidence, Evidence::Exchange(_) | Evidence::SharedTargets(_))
    };
    if !report.findings.iter().any(|finding| has_gain(&finding.evidence)) {
        return Ok(());
    }
    let ranks_without = pagerank_with(&without_spam(links, hosts, report)?, options, watch)?;
    report.walks.push(ranks_without.walk("without spam"));
    let without = ranks_without.scores;
    for finding in &mut report.findings {
        let gain = match &mut finding.evidence {
            Evidence::Exchange(exchange) => &mut exchange.gain,
            Evidence::SharedTargets(shared) => &mut shared.gain,
            Evidence::Farm(_) | Evidence::Bomb { .. } => continue,
        };
        for target in &finding.targets {
            gain.rank += ranks[target.index()];
            gain.without += without[target.index()];
        }
        finding.reasons.push(gain.tell());
    }
    Ok(())
}
