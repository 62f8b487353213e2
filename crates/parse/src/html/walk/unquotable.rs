//! Text that may be found but not shown: `data-nosnippet` (HTM-11).

use base::{Block, Span};

use crate::Parsed;
use crate::html::tree::Element;

/// Runs kept of a page; with more of them nothing of the page is shown.
const MOST: usize = 10_000;

/// Returns whether an element asks that its text be not shown in results.
pub(super) fn is_marked(element: &Element) -> bool {
    element.attributes().any(|(name, _)| &**name == "data-nosnippet")
}

/// Notes a run of text; runs that touch are one.
pub(super) fn note(parsed: &mut Parsed, span: Option<Span>) {
    let Some(span) = span else { return };
    let touches = |last: &&mut Span| last.block == span.block && last.end + 1 >= span.start;
    if let Some(last) = parsed.unquotable.last_mut().filter(touches) {
        last.end = span.end;
    } else if parsed.unquotable.len() < MOST {
        parsed.unquotable.push(span);
    } else {
        // Too much is kept back rather than too little.
        parsed.robots.nosnippet = true;
    }
}

/// Cuts the runs to the blocks that were kept.
pub(super) fn clip(runs: &mut Vec<Span>, blocks: &[Block]) {
    for run in runs.iter_mut() {
        let length = blocks.get(run.block as usize).map_or(0, |block| block.text.len());
        run.end = run.end.min(u32::try_from(length).unwrap_or(u32::MAX));
    }
    runs.retain(|run| run.start < run.end);
}
