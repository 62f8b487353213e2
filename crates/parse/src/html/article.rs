//! Finds the article of a page: the box where the prose stands, its like-minded neighbours, and
//! what in them is not part of it.
//!
//! The measure is the one that reader modes of browsers have used since Arc90's Readability of
//! 2009: each paragraph speaks for the boxes around it by its length and its commas, less the
//! farther out; links in a box and its name speak against it. Here it runs over sums that are
//! made once per attempt, so that an attempt costs one pass over regions and blocks.

use super::regions::{Counts, Hint, Kind, Region, RegionId, Regions};
use super::walk::Marks;
use super::zones::Draft;

/// Characters from which on an attempt is believed.
const ENOUGH_CHARS: u32 = 500;
/// Characters from which on a paragraph has a voice.
const VOICE_CHARS: u32 = 25;
/// Boxes around a paragraph that hear it.
const LEVELS: usize = 5;
/// Boxes with the highest scores that are looked at together.
const TOP: usize = 5;

/// A box around the article is taken instead if it adds more than one part in so many of text,
const MUCH: u32 = 4;
/// and less than one part in so many of that is links.
const PLAIN: u32 = 10;

/// What is believed in an attempt; each one that finds too little believes less.
#[derive(Clone, Copy)]
struct Beliefs {
    /// Names tell what is not part of an article.
    strips: bool,
    /// Names tell how likely a box is to hold it.
    weighs: bool,
    /// Lists, tables, forms and boxes inside it may be something else.
    cleans: bool,
}

/// The article of a page.
pub(super) struct Article {
    /// For each block, whether it is part of the article.
    pub(super) blocks: Vec<bool>,
    /// Its length in characters.
    pub(super) chars: u32,
}

/// Returns the longest article found with the strictest beliefs that find enough.
pub(super) fn find(regions: &Regions, drafts: &[Draft]) -> Article {
    let mut best = Article { blocks: Vec::new(), chars: 0 };
    for (strips, weighs, cleans) in
        [(true, true, true), (false, true, true), (false, false, true), (false, false, false)]
    {
        let attempt = Attempt::new(regions, drafts, Beliefs { strips, weighs, cleans });
        let article = attempt.run();
        let is_enough = article.chars >= ENOUGH_CHARS;
        if is_enough || article.chars > best.chars || best.blocks.is_empty() {
            best = article;
        }
        if is_enough {
            break;
        }
    }
    best
}

struct Attempt<'a> {
    regions: &'a [Region],
    drafts: &'a [Draft],
    beliefs: Beliefs,
    /// Regions that are left out from the start.
    gone: Vec<bool>,
    /// Regions in figures.
    figured: Vec<bool>,
    totals: Vec<Counts>,
    /// Scores; not a number where no paragraph spoke.
    scores: Vec<f32>,
}

impl<'a> Attempt<'a> {
    fn new(regions: &'a Regions, drafts: &'a [Draft], beliefs: Beliefs) -> Self {
        let list = regions.as_slice();
        let mut gone = vec![false; list.len()];
        let mut shielded = vec![false; list.len()];
        let mut figured = vec![false; list.len()];
        for (place, region) in list.iter().enumerate().skip(1) {
            let parent = region.parent.index();
            // Names inside tables and definitions are about what they hold.
            let shields = matches!(list[parent].looks.kind, Kind::Table | Kind::Definitions);
            shielded[place] = shielded[parent] || shields;
            figured[place] = figured[parent] || list[parent].looks.kind == Kind::Figure;
            gone[place] = gone[parent]
                || beliefs.strips && region.is_unlikely(shielded[place])
                || region.looks.kind == Kind::Nav;
        }
        let totals = regions.totals(|place| !gone[place]);
        let scores = vec![f32::NAN; list.len()];
        Self { regions: list, drafts, beliefs, gone, figured, totals, scores }
    }

    fn run(mut self) -> Article {
        self.score();
        let Some(top) = self.top() else { return self.keep(None, 0.0) };
        let score = self.scores[top.index()].max(0.0);
        self.keep(Some(top), score)
    }

    /// Lets every paragraph speak.
    fn score(&mut self) {
        for (place, region) in self.regions.iter().enumerate().skip(1) {
            if !self.gone[place] && self.speaks(place) {
                let counts = self.totals[place];
                self.speak(region.parent, counts.chars, counts.commas);
            }
        }
        for draft in self.drafts {
            let place = draft.region.index();
            // Text directly in a box with other boxes is a paragraph without a name.
            if !self.gone[place]
                && self.regions[place].looks.kind == Kind::Div
                && !self.speaks(place)
            {
                self.speak(draft.region, draft.chars, draft.commas);
            }
        }
        for (place, score) in self.scores.iter_mut().enumerate() {
            *score *= 1.0 - self.totals[place].link_density();
        }
    }

    /// Returns whether a region is a paragraph, or as good as one.
    fn speaks(&self, place: usize) -> bool {
        let totals = &self.totals[place];
        match self.regions[place].looks.kind {
            Kind::Section | Kind::Heading | Kind::Paragraph | Kind::Cell | Kind::Pre => true,
            Kind::Div => totals.boxes == 0 && totals.images == 0,
            _ => false,
        }
    }

    fn speak(&mut self, to: RegionId, chars: u32, commas: u32) {
        if chars < VOICE_CHARS {
            return;
        }
        let voice = (2 + commas + (chars / 100).min(3)) as f32;
        let mut hears = to;
        for level in 0..LEVELS {
            let region = &self.regions[hears.index()];
            if region.looks.kind == Kind::Page {
                break;
            }
            let share = match level {
                0 => 1.0,
                1 => 2.0,
                level => level as f32 * 3.0,
            };
            let score = &mut self.scores[hears.index()];
            if score.is_nan() {
                *score = region.first_score(self.beliefs.weighs);
            }
            *score += voice / share;
            if region.looks.kind == Kind::Body {
                break;
            }
            hears = region.parent;
        }
    }

    /// Returns the box that holds the article; `None` if that is the whole page.
    fn top(&self) -> Option<RegionId> {
        let mut best: Vec<(f32, u32)> = Vec::with_capacity(TOP + 1);
        for (place, &score) in self.scores.iter().enumerate() {
            if score > 0.0 {
                let at = best.partition_point(|(other, _)| *other >= score);
                if at < TOP {
                    best.insert(at, (score, place as u32));
                    best.truncate(TOP);
                }
            }
        }
        let &(score, place) = best.first()?;
        let mut top = RegionId(place);
        if self.kind(top) == Kind::Body {
            return None;
        }
        let rivals: Vec<RegionId> = best[1..]
            .iter()
            .filter(|(other, _)| *other >= 0.75 * score)
            .map(|(_, place)| RegionId(*place))
            .collect();
        if rivals.len() >= 3 {
            let shared = self.ancestors(top).find(|outer| {
                rivals.iter().filter(|rival| self.is_inside(**rival, *outer)).count() >= 3
            });
            top = shared.unwrap_or(top);
        }
        top = self.rising(top);
        // An only child stands for its parent, whose neighbours may be more of the same.
        while let Some(parent) = self.ancestors(top).next() {
            if self.regions[parent.index()].children != 1 {
                break;
            }
            top = parent;
        }
        self.widened(top)
    }

    /// Goes out to a box that adds plain text without links: manuals have many parts of equal
    /// rank, of which the best is not the page. `None` if that box is the whole page.
    fn widened(&self, top: RegionId) -> Option<RegionId> {
        let held = &self.totals[top.index()];
        let adds = |outer: &RegionId| {
            let counts = &self.totals[outer.index()];
            let (chars, linked) = (counts.chars - held.chars, counts.linked - held.linked);
            chars * MUCH > held.chars && linked * PLAIN < chars
        };
        Some(self.ancestors(top).filter(adds).last().unwrap_or(top))
    }

    /// Follows the scores outwards: if they rise again, there is more content further out.
    fn rising(&self, top: RegionId) -> RegionId {
        let own = self.scores[top.index()];
        let least = if own.is_nan() { 0.0 } else { own / 3.0 };
        let mut last = if own.is_nan() { 0.0 } else { own };
        for outer in self.ancestors(top) {
            let score = self.scores[outer.index()];
            if score.is_nan() {
                continue;
            }
            if score < least {
                break;
            }
            if score > last {
                return outer;
            }
            last = score;
        }
        top
    }

    /// Returns the boxes around one, the body not among them.
    fn ancestors(&self, region: RegionId) -> impl Iterator<Item = RegionId> {
        let outer = |region: RegionId| {
            let parent = self.regions[region.index()].parent;
            (!matches!(self.kind(parent), Kind::Body | Kind::Page)).then_some(parent)
        };
        std::iter::successors(outer(region), move |region| outer(*region))
    }

    fn is_inside(&self, region: RegionId, outer: RegionId) -> bool {
        self.ancestors(region).any(|ancestor| ancestor == outer)
    }

    fn kind(&self, region: RegionId) -> Kind {
        self.regions[region.index()].looks.kind
    }

    /// Takes the top box and the neighbours that belong to it, and leaves out what does not.
    fn keep(&self, top: Option<RegionId>, score: f32) -> Article {
        let home = top.map_or(RegionId::PAGE, |top| self.regions[top.index()].parent);
        let mut kept = vec![false; self.regions.len()];
        kept[0] = top.is_none();
        for (place, region) in self.regions.iter().enumerate().skip(1) {
            let joins = || {
                region.parent == home
                    && top.is_some_and(|top| top.index() == place || self.joins(place, top, score))
            };
            kept[place] = !self.gone[place] && (kept[region.parent.index()] || joins());
        }
        self.clean(&mut kept);
        let mut chars = 0;
        let blocks = self.drafts.iter().map(|draft| {
            let place = draft.region.index();
            let is_kept = kept[place] || draft.region == home && draft.joins();
            chars += if is_kept { draft.chars } else { 0 };
            is_kept
        });
        let blocks = blocks.collect();
        Article { blocks, chars }
    }

    /// Returns whether a neighbour of the top box is part of the article.
    fn joins(&self, place: usize, top: RegionId, top_score: f32) -> bool {
        let looks = &self.regions[place].looks;
        let class = self.regions[top.index()].looks.class;
        let bonus = if class != 0 && looks.class == class { top_score * 0.2 } else { 0.0 };
        let score = self.scores[place];
        if score > 0.0 {
            return score + bonus >= (top_score * 0.2).max(10.0);
        }
        let counts = &self.totals[place];
        let is_text = matches!(
            looks.kind,
            Kind::Paragraph
                | Kind::Definitions
                | Kind::Section
                | Kind::Pre
                | Kind::Table
                | Kind::Quote
        );
        (is_text || looks.kind == Kind::Div && self.speaks(place))
            && looks.weight >= 0
            && counts.chars > 80
            && counts.link_density() < 0.25
    }

    /// Leaves out of the kept regions what is not part of an article, from the inside out.
    fn clean(&self, kept: &mut [bool]) {
        let mut totals: Vec<Counts> = self.regions.iter().map(|region| region.own).collect();
        let data = self.data_tables();
        let mut removed = vec![false; kept.len()];
        for place in (1..kept.len()).rev().filter(|place| kept[*place]) {
            let region = &self.regions[place];
            if self.drops(place, &totals[place], data[place]) {
                removed[place] = true;
                continue;
            }
            let (outer, inner) = totals.split_at_mut(place);
            outer[region.parent.index()].add(&inner[0], region.looks.kind);
        }
        for (place, region) in self.regions.iter().enumerate().skip(1) {
            removed[place] |= removed[region.parent.index()] && kept[place];
            kept[place] &= !removed[place];
        }
    }

    /// Returns for each region whether it is, holds or stands in a table of data.
    fn data_tables(&self) -> Vec<bool> {
        let is_table = |place: usize| {
            let counts = &self.totals[place];
            let cells = counts.cells;
            self.regions[place].looks.kind == Kind::Table
                && (counts.heads > 0
                    || counts.tables == 0
                        && counts.rows > 1
                        && cells > counts.rows
                        && (counts.rows >= 10 || cells > 4 * counts.rows || cells > 10))
        };
        let mut inside: Vec<bool> = (0..self.regions.len()).map(is_table).collect();
        let mut holds = inside.clone();
        for place in (1..holds.len()).rev() {
            if holds[place] {
                holds[self.regions[place].parent.index()] = true;
            }
        }
        for place in 1..inside.len() {
            inside[place] |= inside[self.regions[place].parent.index()];
            holds[place] |= inside[place];
        }
        holds
    }

    /// Returns whether a region with these contents is no part of an article it stands in.
    fn drops(&self, place: usize, counts: &Counts, has_data: bool) -> bool {
        let looks = &self.regions[place].looks;
        let weight = if self.beliefs.weighs { looks.weight } else { 0 };
        match looks.kind {
            Kind::Aside | Kind::Footer | Kind::Nav | Kind::Control => return true,
            Kind::Heading => return weight < 0 && self.beliefs.cleans,
            _ if looks.marks.has(Marks::SHARE) && counts.chars < ENOUGH_CHARS => return true,
            Kind::Form | Kind::Table | Kind::List | Kind::Div => {}
            _ => return false,
        }
        if !self.beliefs.cleans || has_data {
            return false;
        }
        if weight < 0 {
            return counts.codes == 0;
        }
        counts.commas < 10 && self.is_poor(place, counts, weight)
    }

    /// Returns whether a region without much prose looks like something else than content.
    fn is_poor(&self, place: usize, counts: &Counts, weight: i8) -> bool {
        let kind = self.regions[place].looks.kind;
        let is_list = kind == Kind::List || counts.listed * 10 > counts.chars * 9;
        let in_figure = self.figured[place];
        let density = counts.link_density();
        (counts.images > 1 && counts.paragraphs * 2 < counts.images && !in_figure)
            || (!is_list && counts.items > counts.paragraphs + 100)
            || counts.inputs > counts.paragraphs / 3
            || (!is_list
                && counts.chars < VOICE_CHARS
                && (counts.images == 0 || counts.images > 2)
                && density > 0.0
                && counts.heading * 10 < counts.chars * 9
                && !in_figure)
            || (!is_list && weight < 1 && density > 0.2)
            || (weight >= 1 && density > 0.5)
            || (counts.embeds == 1 && counts.chars < 75)
            || counts.embeds > 1
    }
}

impl Region {
    /// Returns whether mark-up says that a region is hardly part of an article.
    fn is_unlikely(&self, is_shielded: bool) -> bool {
        let looks = &self.looks;
        let by_name = looks.marks.has(Marks::UNLIKELY)
            && !looks.marks.has(Marks::MAYBE)
            && !is_shielded
            && !matches!(looks.kind, Kind::Body);
        by_name || looks.is_side_role || looks.hint == Hint::Element && looks.kind == Kind::Control
    }

    fn first_score(&self, weighs: bool) -> f32 {
        let by_kind = match self.looks.kind {
            Kind::Div => 5.0,
            Kind::Pre | Kind::Cell | Kind::Quote => 3.0,
            Kind::List | Kind::Definitions | Kind::Item | Kind::Definition | Kind::Form => -3.0,
            Kind::Heading => -5.0,
            _ => 0.0,
        };
        by_kind + if weighs { 25.0 * f32::from(self.looks.weight) } else { 0.0 }
    }
}
