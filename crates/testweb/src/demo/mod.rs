//! The demo web: some 2,000 readable pages on 60 hosts under the top-level domain `lookfar`.

mod company;
mod compose;
mod copies;
mod faults;
mod grammar;
mod hub;
mod markup;
mod media;
mod page;
mod seven;
mod spam;
#[cfg(test)]
mod tests;
mod texts;
mod theme;
mod traps;
mod world;

use crate::site::Site;

use compose::Desk;
use theme::Theme;
use world::World;

pub use world::Kind;

/// Where a crawl of the demo web begins: a directory that leads to everything else.
pub const SEED: &str = "http://directory.lookfar/";

/// Returns every host of the demo web; the same seed gives the same bytes.
pub fn sites(seed: u64) -> Vec<Box<dyn Site>> {
    build(seed).into_sites()
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
