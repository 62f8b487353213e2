//! Blocks of text and the part of the page each of them is (P5, W15).
//!
//! While the walk goes on, a block knows the regions it stands in: boxes that by their element,
//! role, class or id look like navigation. What a region really is can be said only at the end,
//! when it is known how much of the page's text it holds: a class named `has-sidebar` around
//! the whole page makes no sidebar of it.

use base::{Block, Zone};

use crate::Options;
use crate::clean::Folded;

/// A box that may be navigation; 0 is the page itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RegionId(u32);

impl RegionId {
    pub(super) const PAGE: Self = Self(0);
}

/// How sure the mark-up is that a region is not what the page is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    /// `<nav>`, `<aside>`, `<footer>`, roles, controls: said by the author.
    Element,
    /// A class or an id that sounds like it.
    Class,
    /// The page's header: holds the headline as often as the menu.
    Header,
}

struct Region {
    parent: RegionId,
    hint: Hint,
    /// Bytes of text in it, links apart.
    prose: usize,
    has_main: bool,
}

impl Region {
    /// Judges a region of a page with `total` bytes of prose. The surer the mark-up, the more of
    /// the page the region must hold to be its content after all.
    fn verdict(&self, total: usize) -> Verdict {
        let holds = |share: usize| self.prose > MAIN_BYTES && self.prose * 100 > total * share;
        match self.hint {
            Hint::Element if !holds(90) => Verdict::Boilerplate,
            Hint::Class if !self.has_main && !holds(66) => Verdict::Boilerplate,
            Hint::Header if !self.has_main && !holds(50) => Verdict::Header,
            _ => Verdict::Content,
        }
    }
}

/// A block that still waits for its zone.
struct Draft {
    zone: Zone,
    region: RegionId,
    text: String,
    linked: usize,
}

/// Collects blocks in reading order.
pub(super) struct Blocks {
    drafts: Vec<Draft>,
    /// Alternative texts met inside the block being written; they follow it.
    captions: Vec<Draft>,
    regions: Vec<Region>,
    current: Folded,
    zone: Zone,
    region: RegionId,
    linked: usize,
    taken: usize,
    most_bytes: usize,
    most_blocks: usize,
    is_cut: bool,
}

impl Blocks {
    pub(super) fn new(options: &Options) -> Self {
        let page = Region { parent: RegionId::PAGE, hint: Hint::Class, prose: 0, has_main: true };
        Self {
            drafts: Vec::new(),
            captions: Vec::new(),
            regions: vec![page],
            current: Folded::default(),
            zone: Zone::Body,
            region: RegionId::PAGE,
            linked: 0,
            taken: 0,
            most_bytes: options.text_bytes,
            most_blocks: options.blocks,
            is_cut: false,
        }
    }

    /// Opens a region inside another.
    pub(super) fn region(&mut self, parent: RegionId, hint: Hint) -> RegionId {
        let Ok(place) = u32::try_from(self.regions.len()) else { return parent };
        self.regions.push(Region { parent, hint, prose: 0, has_main: false });
        RegionId(place)
    }

    /// Notes that `<main>` stands in a region.
    pub(super) fn mark_main(&mut self, region: RegionId) {
        self.regions[region.0 as usize].has_main = true;
    }

    /// Appends text to the block being written, or begins one if it belongs elsewhere.
    pub(super) fn text(&mut self, text: &str, zone: Zone, region: RegionId, is_linked: bool) {
        if (zone, region) != (self.zone, self.region) {
            self.end_block();
            (self.zone, self.region) = (zone, region);
        }
        let room = self.most_bytes.saturating_sub(self.taken + self.current.len());
        if room == 0 {
            self.is_cut |= !text.trim().is_empty();
            return;
        }
        let before = self.current.len();
        self.current.push(text);
        if is_linked {
            self.linked += self.current.len() - before;
        }
    }

    /// Notes a border between words.
    pub(super) fn space(&mut self) {
        self.current.space();
    }

    /// Takes the alternative text of a picture: a block of its own behind the current one.
    pub(super) fn caption(&mut self, text: &str, region: RegionId) {
        if self.drafts.len() + self.captions.len() >= self.most_blocks
            || self.taken >= self.most_bytes
        {
            self.is_cut = true;
            return;
        }
        let text = crate::clean::folded(text, CAPTION_BYTES);
        if !text.is_empty() {
            self.taken += text.len();
            self.captions.push(Draft { zone: Zone::Caption, region, text, linked: 0 });
        }
    }

    /// Ends the block being written.
    pub(super) fn end_block(&mut self) {
        let linked = std::mem::take(&mut self.linked);
        if !self.current.is_empty() {
            let mut text = self.current.take();
            let room = self.most_bytes - self.taken.min(self.most_bytes);
            if text.len() > room {
                crate::clean::shorten(&mut text, room);
                self.is_cut = true;
            }
            self.taken += text.len();
            if self.drafts.len() >= self.most_blocks {
                self.is_cut = true;
            } else if !text.is_empty() {
                let prose = text.len().saturating_sub(linked);
                self.regions[self.region.0 as usize].prose += prose;
                self.drafts.push(Draft { zone: self.zone, region: self.region, text, linked });
            }
        }
        self.drafts.append(&mut self.captions);
    }

    /// Gives each block its zone. Also returns whether text was left out.
    pub(super) fn finish(mut self) -> (Vec<Block>, bool) {
        self.end_block();
        let verdicts = self.verdicts();
        let mut menus = menus(&self.drafts);
        // A page of nothing but short links is about these.
        let is_content = |draft: &Draft| verdicts[draft.region.0 as usize] == Verdict::Content;
        if self.drafts.iter().zip(&menus).all(|(draft, menu)| *menu || !is_content(draft)) {
            menus.fill(false);
        }
        let blocks = self.drafts.into_iter().zip(menus).map(|(draft, is_menu)| {
            let zone = match verdicts[draft.region.0 as usize] {
                Verdict::Boilerplate => Zone::Boilerplate,
                Verdict::Header if draft.zone != Zone::Heading && !draft.is_prose() => {
                    Zone::Boilerplate
                }
                _ if is_menu => Zone::Boilerplate,
                _ => draft.zone,
            };
            Block { zone, text: draft.text }
        });
        (blocks.collect(), self.is_cut)
    }

    /// Judges the regions, outer ones first.
    fn verdicts(&mut self) -> Vec<Verdict> {
        // A region is made after its parent, so one pass from the end sums everything up.
        for place in (1..self.regions.len()).rev() {
            let Region { parent, prose, has_main, .. } = self.regions[place];
            let parent = &mut self.regions[parent.0 as usize];
            parent.prose += prose;
            parent.has_main |= has_main;
        }
        let total = self.regions[0].prose;
        let mut verdicts = vec![Verdict::Content];
        for region in &self.regions[1..] {
            let own = region.verdict(total);
            verdicts.push(own.max(verdicts[region.parent.0 as usize]));
        }
        verdicts
    }
}

/// Longest alternative text kept, in bytes.
const CAPTION_BYTES: usize = 512;
/// A region that holds most of the page's prose is its content, if that is at least this much.
const MAIN_BYTES: usize = 400;
/// Words from which a block reads like prose.
const PROSE_WORDS: usize = 20;
/// Words that an entry of a menu has at most, and how many entries make a menu.
const MENU_WORDS: usize = 4;
const MENU_ENTRIES: usize = 3;

/// What a region is, in order of strength: inside navigation everything is navigation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Content,
    Header,
    Boilerplate,
}

impl Draft {
    fn is_prose(&self) -> bool {
        self.linked * 3 < self.text.len() && self.text.split(' ').nth(PROSE_WORDS - 1).is_some()
    }

    fn is_menu_entry(&self) -> bool {
        self.zone == Zone::Body
            && self.linked * 5 >= self.text.len() * 4
            && self.text.split(' ').nth(MENU_WORDS).is_none()
    }
}

/// Returns for each block whether it stands in a run of short linked blocks: a menu without
/// mark-up that says so.
fn menus(drafts: &[Draft]) -> Vec<bool> {
    let mut menus = vec![false; drafts.len()];
    let mut start = 0;
    while start < drafts.len() {
        let run = drafts[start..].iter().take_while(|draft| draft.is_menu_entry()).count();
        if run >= MENU_ENTRIES {
            menus[start..start + run].fill(true);
        }
        start += run.max(1);
    }
    menus
}
