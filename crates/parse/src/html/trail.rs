//! Where a page stands on its site: bread crumbs and names of chapters, told from the rest of the
//! frame (P5).
//!
//! `Manual » Server Configuration » Resource Consumption` is navigation, but it is about this page,
//! as a title is: an index of the manual leads to this page by the word `configuration`, which its
//! own text may never say. It is kept apart from content and from other navigation. Three signs:
//!
//! - a box whose class or id speaks of bread crumbs;
//! - two or more short blocks in a row that end with a sign between crumbs, or one with such
//!   signs between links;
//! - a header cell without a link in a box of navigation, as books of many formats have them.

use base::Zone;

use super::regions::{Kind, Regions};
use super::walk::Marks;
use super::zones::Draft;

/// Crumbs taken of a page, and what one of them has at most.
const MOST: usize = 12;
const MOST_CHARS: u32 = 160;
/// Signs between crumbs.
const SIGNS: [char; 6] = ['»', '›', '❯', '→', '⟩', '▸'];

/// Returns for each block whether it says where the page stands. Only blocks of the frame do, and
/// only before the page's own text begins. Cost: linear.
pub(super) fn find(drafts: &[Draft], regions: &Regions, is_content: &[bool]) -> Vec<bool> {
    let mut found = vec![false; drafts.len()];
    let is_text = |(draft, is_content): (&Draft, &bool)| *is_content && draft.joins();
    let begin = drafts.iter().zip(is_content).position(is_text).unwrap_or(drafts.len());
    let boxes = boxes(regions);
    let is_short = |place: usize| {
        let draft = &drafts[place];
        !is_content[place] && draft.zone == Zone::Body && draft.chars <= MOST_CHARS
    };
    let mut left = MOST;
    let mut place = 0;
    while place < begin && left > 0 {
        let run = (place..begin).take_while(|at| is_short(*at) && drafts[*at].is_crumb()).count();
        let region = drafts[place].region.index();
        let is_head = regions.as_slice()[region].looks.kind == Kind::TableHead;
        let is_alone = boxes[region] || drafts[place].has_crumbs();
        let is_one = is_alone || is_head && drafts[place].linked == 0;
        let taken = if run >= 2 { run } else { usize::from(is_short(place) && is_one) }.min(left);
        found[place..place + taken].fill(true);
        left -= taken;
        place += taken.max(1);
    }
    found
}

/// Returns for each region whether it stands in a box of bread crumbs.
fn boxes(regions: &Regions) -> Vec<bool> {
    let mut boxes: Vec<bool> = Vec::new();
    for region in regions.as_slice() {
        let parent = boxes.get(region.parent.index()).copied().unwrap_or(false);
        boxes.push(parent || region.looks.marks.has(Marks::TRAIL));
    }
    boxes
}

impl Draft {
    /// Returns whether the text ends as one of several crumbs does.
    fn is_crumb(&self) -> bool {
        self.text.ends_with(SIGNS) && self.chars > 1
    }

    /// Returns whether the text is a whole trail with links in it.
    fn has_crumbs(&self) -> bool {
        let between = |sign: &str| self.text.contains(sign);
        self.linked > 0 && (between(" » ") || between(" › ") || between(" > ") || between(" → "))
    }
}
