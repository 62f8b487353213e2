//! The boxes of a page and what they hold: what main content is judged by.
//!
//! The walk opens a region for each box. Regions are numbered in document order, so those inside
//! a region follow it, and one pass from the end adds everything up.

use super::walk::Marks;

/// A box of the page; 0 is the page itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RegionId(pub(super) u32);

impl RegionId {
    pub(super) const PAGE: Self = Self(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What kind of element a region is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Page,
    Body,
    Div,
    Section,
    /// `<article>`.
    Article,
    Paragraph,
    Pre,
    Quote,
    Heading,
    List,
    Definitions,
    Item,
    /// `<dt>` and `<dd>`.
    Definition,
    Table,
    /// Parts that only tables of data have: header cells, captions, groups of rows and columns.
    TableHead,
    Row,
    Cell,
    Form,
    Figure,
    Aside,
    Footer,
    Nav,
    Control,
    Other,
}

/// How sure the mark-up is that a region is not what the page is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    /// It says nothing of the kind.
    None,
    /// `<nav>`, `<aside>`, `<footer>`, roles, controls: said by the author.
    Element,
    /// A class or an id that sounds like it.
    Class,
    /// The page's header: holds the headline as often as the menu.
    Header,
}

/// What the mark-up says about a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looks {
    pub(super) kind: Kind,
    pub(super) hint: Hint,
    /// What class and id say.
    pub(super) marks: Marks,
    /// How much class and id speak for content, from -2 to 2.
    pub(super) weight: i8,
    /// Whether its role is one of the frame's.
    pub(super) is_side_role: bool,
    /// Equal for equal classes; 0 without one.
    pub(super) class: u32,
    /// Of a heading, 1 to 6; 0 for all else.
    pub(super) level: u8,
}

/// What a region holds, all inside it included once summed up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Characters of text, and those of them in links.
    pub(super) chars: u32,
    pub(super) linked: u32,
    /// Characters in headings and in lists.
    pub(super) heading: u32,
    pub(super) listed: u32,
    pub(super) commas: u32,
    pub(super) paragraphs: u32,
    pub(super) items: u32,
    pub(super) images: u32,
    pub(super) inputs: u32,
    pub(super) embeds: u32,
    pub(super) rows: u32,
    pub(super) cells: u32,
    pub(super) tables: u32,
    pub(super) heads: u32,
    pub(super) codes: u32,
    /// Elements that part a box into blocks.
    pub(super) boxes: u32,
}

impl Counts {
    /// Returns the share of text in links.
    pub(super) fn link_density(&self) -> f32 {
        if self.chars == 0 { 0.0 } else { self.linked as f32 / self.chars as f32 }
    }

    /// Adds what a region inside holds.
    pub(super) fn add(&mut self, inner: &Self, kind: Kind) {
        self.chars += inner.chars;
        self.linked += inner.linked;
        self.heading += if kind == Kind::Heading { inner.chars } else { inner.heading };
        self.listed += if kind == Kind::List { inner.chars } else { inner.listed };
        self.commas += inner.commas;
        self.paragraphs += inner.paragraphs + u32::from(kind == Kind::Paragraph);
        self.items += inner.items + u32::from(kind == Kind::Item);
        self.images += inner.images;
        self.inputs += inner.inputs;
        self.embeds += inner.embeds;
        self.rows += inner.rows + u32::from(kind == Kind::Row);
        self.cells += inner.cells + u32::from(kind == Kind::Cell);
        self.tables += inner.tables + u32::from(kind == Kind::Table);
        self.heads += inner.heads + u32::from(kind == Kind::TableHead);
        self.codes += inner.codes + u32::from(kind == Kind::Pre);
        self.boxes += inner.boxes + u32::from(kind.parts());
    }
}

impl Kind {
    /// Returns whether text beside such a box stands apart from it.
    fn parts(self) -> bool {
        matches!(
            self,
            Self::Div
                | Self::Paragraph
                | Self::Pre
                | Self::Quote
                | Self::List
                | Self::Definitions
                | Self::Table
        )
    }
}

/// A region: where it stands, what it looks like, what stands directly in it.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) parent: RegionId,
    pub(super) looks: Looks,
    /// Regions directly in it.
    pub(super) children: u32,
    /// Whether `<main>` stands in it.
    pub(super) has_main: bool,
    pub(super) own: Counts,
}

/// All regions of a page.
pub(super) struct Regions(Vec<Region>);

impl Regions {
    pub(super) fn new() -> Self {
        let looks = Looks {
            kind: Kind::Page,
            hint: Hint::None,
            marks: Marks::default(),
            weight: 0,
            is_side_role: false,
            class: 0,
            level: 0,
        };
        let own = Counts::default();
        Self(vec![Region { parent: RegionId::PAGE, looks, children: 0, has_main: true, own }])
    }

    /// Opens a region inside another.
    pub(super) fn open(&mut self, parent: RegionId, looks: Looks) -> RegionId {
        let Ok(place) = u32::try_from(self.0.len()) else { return parent };
        self.0[parent.index()].children += 1;
        let own = Counts::default();
        self.0.push(Region { parent, looks, children: 0, has_main: false, own });
        RegionId(place)
    }

    pub(super) fn get_mut(&mut self, region: RegionId) -> &mut Region {
        &mut self.0[region.index()]
    }

    pub(super) fn as_slice(&self) -> &[Region] {
        &self.0
    }

    /// Returns what each region holds altogether.
    pub(super) fn totals(&self, passes: impl Fn(usize) -> bool) -> Vec<Counts> {
        let mut totals: Vec<Counts> = self.0.iter().map(|region| region.own).collect();
        for place in (1..totals.len()).rev().filter(|place| passes(*place)) {
            let Region { parent, looks, .. } = &self.0[place];
            let (outer, inner) = totals.split_at_mut(place);
            outer[parent.index()].add(&inner[0], looks.kind);
        }
        totals
    }
}
