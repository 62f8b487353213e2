//! The demo web: some 2,300 readable pages on 60 hosts under the made-up top-level domain
//! `lookfar`, in which every phenomenon of the mission can be seen.
//!
//! The hosts describe an archipelago that does not exist: its towns, birds, recipes, trains,
//! newspapers, a university, a forum. All texts are ours. What a host says lives in one file
//! under `texts/` (`theme` draws the format); a small `grammar` composes the bulk of the
//! pages from tables of facts, `compose` turns them into pages, and the modules `seven`,
//! `company`, `spam`, `traps`, `faults`, `copies` and `hub` add what no text can: pages that
//! mislead, repeat, trap, fail or change. [`phenomena()`] lists what is to be seen where.
//!
//! Addresses do not depend on the seed, only the composed sentences do. A crawl that begins at
//! [`SEED`] reaches every page for which [`is_good`] holds.

mod company;
mod compose;
mod copies;
mod faults;
mod grammar;
mod hub;
mod markup;
mod media;
mod page;
mod phenomena;
mod seven;
mod spam;
#[cfg(test)]
mod tests;
mod texts;
mod theme;
mod traps;
mod world;

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::site::Site;

use compose::Desk;
use theme::Theme;
use world::World;

pub use phenomena::{Phenomenon, phenomena};
pub use world::Kind;

/// Where a crawl of the demo web begins: a directory that leads to everything else.
pub const SEED: &str = "http://directory.lookfar/";

/// Returns every host of the demo web; the same seed gives the same bytes.
///
/// Cost: about 15 MB of pages, composed in well under a second.
pub fn sites(seed: u64) -> Vec<Box<dyn Site>> {
    build(seed).into_sites()
}

/// Whether this address, written canonically, is a page worth finding: not spam, not one of
/// endlessly many, not a copy, not an error, not barred by robots rules, and an HTML page.
pub fn is_good(url: &str) -> bool {
    kind_of(url) == Some(Kind::Good)
}

/// Returns every good page, sorted; all of them can be reached by links from [`SEED`].
pub fn good_pages(seed: u64) -> Vec<String> {
    let mut urls: Vec<String> = Vec::new();
    for host in build(seed).hosts() {
        let good = host.resources().filter(|(_, resource)| resource.kind == Kind::Good);
        urls.extend(good.map(|(path, _)| host.url(path)));
    }
    urls.sort();
    urls
}

/// Returns what an address is, or `None` if the demo web has no such address.
///
/// Addresses with parameters that change nothing (session numbers, tracking) are none of ours.
pub fn kind_of(url: &str) -> Option<Kind> {
    const TRAPS: [&str; 3] = [
        "http://almanac.lookfar/calendar/",
        "http://bazaar.lookfar/item/",
        "http://oldtown.lookfar/",
    ];
    if let Some((kind, _)) = inventory().get(url) {
        return Some(*kind);
    }
    TRAPS.iter().any(|trap| url.starts_with(trap)).then_some(Kind::Trap)
}

/// Returns the page that this one repeats, word by word or nearly, if it is a [`Kind::Copy`].
///
/// A search engine may keep either of the two.
pub fn copy_of(url: &str) -> Option<&'static str> {
    inventory().get(url).and_then(|(_, original)| original.as_deref())
}

/// Every stored address with its kind and, for a copy, its original; the same for all seeds.
fn inventory() -> &'static HashMap<String, (Kind, Option<String>)> {
    static INVENTORY: OnceLock<HashMap<String, (Kind, Option<String>)>> = OnceLock::new();
    INVENTORY.get_or_init(|| {
        let mut known = HashMap::new();
        for host in build(0).hosts() {
            for (path, resource) in host.resources() {
                known.insert(host.url(path), (resource.kind, resource.copy_of.clone()));
            }
        }
        known
    })
}

fn build(seed: u64) -> World {
    let common = Theme::parse(texts::COMMON);
    let mut themes: Vec<Theme> = texts::THEMES.iter().map(|text| Theme::parse(text)).collect();
    let atlas = theme::fill_rows(&mut themes, &common.grammar);
    let desk = Desk { seed, shared: &common.grammar, atlas: &atlas };
    let mut world = World::default();
    for theme in &themes {
        world.push(desk.host(theme));
    }
    company::build(&mut world);
    faults::build(&mut world);
    traps::build(&mut world);
    copies::build(&mut world, &desk);
    seven::build(&mut world);
    spam::build(&mut world, &desk);
    hub::build(&mut world, &desk, &themes);
    world
}
