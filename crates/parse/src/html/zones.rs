//! Blocks of text and the part of the page each of them is (P5, W15).
//!
//! While the walk goes on, a block knows the region it stands in. What a region really is can be
//! said only at the end, when it is known how much of the page's text it holds: a class named
//! `has-sidebar` around the whole page makes no sidebar of it. Then two views are compared:
//!
//! - the frame: boxes that by their element, role, class or id look like navigation, unless they
//!   hold most of the page;
//! - the article ([`super::article`]): the box where the prose stands.
//!
//! A page whose article holds a good part of what is not frame is an article, and what stands
//! outside is boilerplate. All other pages (lists, forums, references, home pages) lose their frame only.

use base::{Block, Span, Zone};

use super::article;
use super::regions::{Counts, Hint, Kind, Looks, Region, RegionId, Regions};
use super::trail;
use crate::Options;
use crate::clean::Folded;

/// A block that still waits for its zone.
pub(super) struct Draft {
    pub(super) zone: Zone,
    pub(super) region: RegionId,
    pub(super) text: String,
    /// Characters, those of them in links, and commas.
    pub(super) chars: u32,
    pub(super) linked: u32,
    pub(super) commas: u32,
}

/// What comes of a page's text.
pub(super) struct Finished {
    pub(super) blocks: Vec<Block>,
    /// Emphasised runs.
    pub(super) emphasis: Vec<Span>,
    /// Whether text was left out.
    pub(super) is_cut: bool,
}

/// How a piece of text stands on the page.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) zone: Zone,
    pub(super) region: RegionId,
    pub(super) is_linked: bool,
    pub(super) is_emphasised: bool,
}

/// Collects blocks in reading order.
pub(super) struct Blocks {
    drafts: Vec<Draft>,
    /// Alternative texts met inside the block being written; they follow it.
    captions: Vec<Draft>,
    regions: Regions,
    emphasis: Vec<Span>,
    current: Folded,
    zone: Zone,
    region: RegionId,
    linked: usize,
    taken: usize,
    most_bytes: usize,
    most_blocks: usize,
    finds_main: bool,
    is_cut: bool,
}

impl Blocks {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            drafts: Vec::new(),
            captions: Vec::new(),
            regions: Regions::new(),
            emphasis: Vec::new(),
            current: Folded::default(),
            zone: Zone::Body,
            region: RegionId::PAGE,
            linked: 0,
            taken: 0,
            most_bytes: options.text_bytes,
            most_blocks: options.blocks,
            finds_main: options.finds_main,
            is_cut: false,
        }
    }

    /// Opens a region inside another.
    pub(super) fn open(&mut self, parent: RegionId, looks: Looks) -> RegionId {
        self.regions.open(parent, looks)
    }

    /// Notes that `<main>` stands in a region.
    pub(super) fn mark_main(&mut self, region: RegionId) {
        self.regions.get_mut(region).has_main = true;
    }

    /// Returns the counts of what stands directly in a region, to count something that is no text.
    pub(super) fn counts(&mut self, region: RegionId) -> &mut Counts {
        &mut self.regions.get_mut(region).own
    }

    /// Appends text to the block being written, or begins one if it belongs elsewhere. Returns
    /// where it stands, if any of it was taken.
    pub(super) fn text(&mut self, text: &str, place: Place) -> Option<Span> {
        if (place.zone, place.region) != (self.zone, self.region) {
            self.end_block();
            (self.zone, self.region) = (place.zone, place.region);
        }
        let room = self.most_bytes.saturating_sub(self.taken + self.current.len());
        if room == 0 {
            self.is_cut |= !text.trim().is_empty();
            return None;
        }
        let span = self.current.push(text)?;
        if place.is_linked {
            self.linked += span.len();
        }
        let span = Span {
            block: u32::try_from(self.drafts.len()).ok()?,
            start: u32::try_from(span.start).ok()?,
            end: u32::try_from(span.end).ok()?,
        };
        if place.is_emphasised {
            self.emphasise(span);
        }
        Some(span)
    }

    /// Returns the place that text would have if it came now.
    pub(super) fn here(&self) -> Option<Span> {
        let block = u32::try_from(self.drafts.len()).ok()?;
        let end = u32::try_from(self.current.len()).ok()?;
        Some(Span { block, start: end, end })
    }

    /// Notes a border between words.
    pub(super) fn space(&mut self) {
        self.current.space();
    }

    /// Notes an emphasised run; runs with nothing but white space between them are one.
    fn emphasise(&mut self, span: Span) {
        let last = self.emphasis.last_mut();
        let touches = |last: &&mut Span| last.block == span.block && last.end + 1 >= span.start;
        if let Some(last) = last.filter(touches) {
            last.end = span.end;
        } else if self.emphasis.len() < EMPHASIS {
            self.emphasis.push(span);
        }
    }

    /// Takes the alternative text of a picture: a block of its own behind the current one.
    pub(super) fn alternative(&mut self, text: &str, region: RegionId) {
        if self.drafts.len() + self.captions.len() >= self.most_blocks
            || self.taken >= self.most_bytes
        {
            self.is_cut = true;
            return;
        }
        let text = crate::clean::folded(text, CAPTION_BYTES);
        if !text.is_empty() {
            self.taken += text.len();
            let zone = Zone::Alt;
            self.captions.push(Draft { zone, region, text, chars: 0, linked: 0, commas: 0 });
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
                self.draft(text, linked);
            }
        }
        if !self.captions.is_empty() {
            self.drafts.append(&mut self.captions);
        }
    }

    fn draft(&mut self, text: String, linked: usize) {
        let (zone, region) = (self.zone, self.region);
        let mut draft = Draft { zone, region, text, chars: 0, linked: 0, commas: 0 };
        if self.finds_main {
            draft.count(linked);
            let counts = &mut self.regions.get_mut(region).own;
            counts.chars += draft.chars;
            counts.linked += draft.linked;
            counts.commas += draft.commas;
        }
        self.drafts.push(draft);
    }

    /// Gives each block its zone.
    pub(super) fn finish(mut self) -> Finished {
        self.end_block();
        let is_content = if self.finds_main { self.judge() } else { vec![true; self.drafts.len()] };
        let is_trail = trail::find(&self.drafts, &self.regions, &is_content);
        let drafts = self.drafts.into_iter().zip(is_content).zip(is_trail);
        let blocks: Vec<Block> = drafts
            .map(|((draft, is_content), is_trail)| {
                let zone = match draft.zone {
                    zone if is_content => zone,
                    _ if is_trail => Zone::Trail,
                    _ => Zone::Boilerplate,
                };
                Block { zone, text: draft.text }
            })
            .collect();
        let mut emphasis = self.emphasis;
        emphasis.retain(|span| {
            blocks
                .get(span.block as usize)
                .is_some_and(|block| span.end as usize <= block.text.len())
        });
        Finished { blocks, emphasis, is_cut: self.is_cut }
    }

    /// Returns for each block whether it is what the page is about.
    fn judge(&self) -> Vec<bool> {
        let content = self.outside_frame();
        let article = article::find(&self.regions, &self.drafts);
        if article.chars < ARTICLE_CHARS || !self.is_most(&article.blocks, &content) {
            return content;
        }
        let mut blocks = article.blocks;
        // The headline stands before the article as often as in it; a heading of lower rank than
        // one in it is that of a side bar.
        let level =
            |place: usize| self.regions.as_slice()[self.drafts[place].region.index()].looks.level;
        let is_heading =
            |place: &usize| content[*place] && self.drafts[*place].zone == Zone::Heading;
        let first = blocks.iter().position(|is_kept| *is_kept).unwrap_or(0);
        let highest = (first..blocks.len())
            .filter(|place| blocks[*place] && is_heading(place))
            .map(level)
            .min();
        let is_headline = |place: &usize| {
            is_heading(place) && highest.is_none_or(|highest| level(*place) <= highest)
        };
        if let Some(headline) = (0..first).rev().find(is_headline) {
            blocks[headline] = true;
        }
        blocks
    }

    /// Returns whether an article is what the page is for: whether it holds a good part of the
    /// paragraphs, or at least of the prose, outside the frame.
    fn is_most(&self, article: &[bool], content: &[bool]) -> bool {
        let mut held = [0_u64; 2];
        let mut all = [0_u64; 2];
        for ((draft, is_article), is_content) in self.drafts.iter().zip(article).zip(content) {
            if *is_content {
                let prose = u64::from(draft.chars - draft.linked);
                let paragraph = if draft.joins() { prose } else { 0 };
                for (kind, chars) in [paragraph, prose].into_iter().enumerate() {
                    all[kind] += chars;
                    held[kind] += if *is_article { chars } else { 0 };
                }
            }
        }
        (0..2).any(|kind| held[kind] * 100 > all[kind] * ARTICLE_SHARE)
    }

    /// Returns for each block whether it stands outside the frame.
    fn outside_frame(&self) -> Vec<bool> {
        let verdicts = self.verdicts();
        let mut menus = menus(&self.drafts);
        let verdict = |draft: &Draft| verdicts[draft.region.index()];
        // A page of nothing but short links is about these.
        let mut drafts = self.drafts.iter().zip(&menus);
        if drafts.all(|(draft, menu)| *menu || verdict(draft) != Verdict::Content) {
            menus.fill(false);
        }
        let drafts = self.drafts.iter().zip(menus);
        drafts
            .map(|(draft, is_menu)| match verdict(draft) {
                Verdict::Boilerplate => false,
                Verdict::Header if draft.zone != Zone::Heading && !draft.is_prose() => false,
                _ => !is_menu,
            })
            .collect()
    }

    /// Judges the regions, outer ones first.
    fn verdicts(&self) -> Vec<Verdict> {
        let totals = self.regions.totals(|_| true);
        let regions = self.regions.as_slice();
        let mut has_main: Vec<bool> = regions.iter().map(|region| region.has_main).collect();
        for place in (1..regions.len()).rev() {
            has_main[regions[place].parent.index()] |= has_main[place];
        }
        let total = totals[0].prose();
        let mut verdicts = vec![Verdict::Content];
        for (place, region) in regions.iter().enumerate().skip(1) {
            let own = region.verdict(totals[place].prose(), total, has_main[place]);
            verdicts.push(own.max(verdicts[region.parent.index()]));
        }
        verdicts
    }
}

/// Longest alternative text kept, in bytes.
const CAPTION_BYTES: usize = 512;
/// Emphasised runs kept of a page.
const EMPHASIS: usize = 10_000;
/// A region that holds most of the page's prose is its content, if that is at least this much.
const MAIN_CHARS: u32 = 400;
/// An article has at least this many characters, and more than this share, in percent, of what is
/// outside the frame. Of 130 pages with an article all have more but two, which are mostly lists
/// of others (docs/measurements/2026-11-16-reading.md).
const ARTICLE_CHARS: u32 = 500;
const ARTICLE_SHARE: u64 = 25;
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

impl Region {
    /// Judges a region of a page with `total` characters of prose. The surer the mark-up, the
    /// more of the page the region must hold to be its content after all.
    fn verdict(&self, prose: u32, total: u32, has_main: bool) -> Verdict {
        let holds =
            |share: u64| prose > MAIN_CHARS && u64::from(prose) * 100 > u64::from(total) * share;
        match self.looks.hint {
            // However many options there are to choose from, nobody reads them.
            _ if self.looks.kind == Kind::Control => Verdict::Boilerplate,
            Hint::Element if !holds(90) => Verdict::Boilerplate,
            Hint::Class if !has_main && !holds(66) => Verdict::Boilerplate,
            Hint::Header if !has_main && !holds(50) => Verdict::Header,
            _ => Verdict::Content,
        }
    }
}

impl Counts {
    /// Returns the characters outside links.
    fn prose(&self) -> u32 {
        self.chars.saturating_sub(self.linked)
    }
}

impl Draft {
    /// Counts characters and commas; of the bytes of the text, `linked` are in links.
    fn count(&mut self, linked: usize) {
        let bytes = self.text.as_bytes();
        // Bytes that begin a character.
        let chars = count(bytes, |byte| byte & 0xC0 != 0x80);
        self.chars = chars;
        self.commas = count(bytes, |byte| byte == b',');
        let is_comma = |character: char| matches!(character, '\u{60C}' | '、' | '，' | '﹐');
        if chars as usize != bytes.len() {
            self.commas +=
                self.text.chars().filter(|character| is_comma(*character)).count() as u32;
        }
        let linked = linked.min(bytes.len()) as u64 * u64::from(chars);
        self.linked = (linked / bytes.len().max(1) as u64) as u32;
    }

    /// Returns whether the text, beside an article, is one of its paragraphs.
    pub(super) fn joins(&self) -> bool {
        self.chars > 80 && self.linked * 4 < self.chars
    }

    fn is_prose(&self) -> bool {
        self.linked * 3 < self.chars && self.text.split(' ').nth(PROSE_WORDS - 1).is_some()
    }

    fn is_menu_entry(&self) -> bool {
        self.zone == Zone::Body
            && self.linked * 5 >= self.chars * 4
            && self.text.split(' ').nth(MENU_WORDS).is_none()
    }
}

/// Returns how many bytes are meant. Few are counted in a byte each, which the compiler does for
/// many of them at once.
fn count(bytes: &[u8], is_meant: impl Fn(u8) -> bool) -> u32 {
    let few = |bytes: &[u8]| bytes.iter().map(|byte| u8::from(is_meant(*byte))).sum::<u8>();
    bytes.chunks(usize::from(u8::MAX)).map(|bytes| u32::from(few(bytes))).sum()
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
