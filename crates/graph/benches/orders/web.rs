//! A made-up web that grows by copying, and that can be crawled.
//!
//! After Kleinberg, Kumar and others: a new page takes another page as its model and copies some
//! of its links; the others go anywhere. In the model alone every link leads to an older page, so
//! that a crawl sees next to nothing. Therefore pages stand on sites here: a page links to its
//! home page, an older page of its site links to it, and new sites are linked to from any page.

use graph::{Links, Node};

use crate::random::Random;

/// Links that a page copies or draws, besides those within its site.
const COPIED: usize = 6;
/// How often a link is copied rather than drawn.
const COPYING: f64 = 0.7;
/// How often a new page begins a new site.
const NEW_SITE: f64 = 0.01;

/// Makes a web of so many pages.
pub(crate) fn web(num_pages: u32, seed: u64) -> Links {
    let mut random = Random(seed);
    let mut sites: Vec<Vec<u32>> = Vec::new();
    let mut site_of: Vec<usize> = Vec::new();
    let mut copied: Vec<Vec<u32>> = Vec::new();
    let mut arcs: Vec<(u32, u32)> = Vec::new();
    for page in 0..num_pages {
        if page == 0 || random.share() < NEW_SITE {
            if page > 0 {
                arcs.push((random.below(page), page));
            }
            site_of.push(sites.len());
            sites.push(vec![page]);
        } else {
            // By any page, so that large sites grow faster.
            let site = site_of[random.below(page) as usize];
            let pages = &mut sites[site];
            arcs.push((pages[random.below(pages.len() as u32) as usize], page));
            arcs.push((page, pages[0]));
            pages.push(page);
            site_of.push(site);
        }
        let mut links = Vec::new();
        for place in 0..COPIED.min(page as usize) {
            let model = &copied[random.below(page) as usize];
            let target = model.get(place).filter(|_| random.share() < COPYING).copied();
            links.push(target.unwrap_or_else(|| random.below(page)));
        }
        arcs.extend(links.iter().map(|to| (page, *to)));
        copied.push(links);
    }
    // Numbers say nothing of age: links are followed in their order.
    let mut numbers: Vec<u32> = (0..num_pages).collect();
    for place in (1..num_pages).rev() {
        numbers.swap(place as usize, random.below(place + 1) as usize);
    }
    let number = |page: u32| Node(numbers[page as usize]);
    let arcs = arcs.into_iter().filter(|(from, to)| from != to);
    Links::from_arcs(num_pages, arcs.map(|(from, to)| (number(from), number(to)))).unwrap()
}
