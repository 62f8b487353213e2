//! What looks like spam and is none.

use super::web::Web;

/// Everything of this file.
pub(super) const ALL: [fn(&mut Web); 7] =
    [navigation, hosts_of_one_owner, mirrors, friends, directory, platform, company];

#[track_caller]
fn check_clean(seed: u64, build: fn(&mut Web)) {
    let mut web = Web::honest(2_000, seed);
    build(&mut web);
    let report = web.find();
    let told: Vec<&Vec<String>> = report.findings.iter().map(|finding| &finding.reasons).collect();
    assert!(report.findings.is_empty(), "{told:#?}");
}

#[test]
fn the_navigation_of_a_site_is_not_named() {
    check_clean(1, navigation);
}

#[test]
fn sites_on_several_hosts_of_one_owner_are_not_named() {
    check_clean(2, hosts_of_one_owner);
}

#[test]
fn mirrored_documentation_is_not_named() {
    check_clean(3, mirrors);
}

#[test]
fn ten_friends_who_link_to_each_other_are_not_named() {
    check_clean(4, friends);
}

#[test]
fn a_directory_is_not_named() {
    check_clean(5, directory);
}

#[test]
fn one_page_sites_that_link_to_their_maker_are_not_named() {
    check_clean(6, platform);
}

#[test]
fn the_footer_of_a_company_is_not_named() {
    check_clean(7, company);
}

/// Two sites whose pages all link to the home page and are linked from it; the pages of one have
/// no other link at all.
fn navigation(web: &mut Web) {
    for links_more in [false, true] {
        let host = web.new_host();
        let pages = web.pages(host, 300);
        for page in &pages[1..] {
            web.link(pages[0], *page);
            web.link(*page, pages[0]);
            if links_more {
                let sibling = pages[web.random(300)];
                web.link(*page, sibling);
            }
        }
    }
}

/// One owner, five hosts; all pages link to and fro with the home page.
fn hosts_of_one_owner(web: &mut Web) {
    let owner = web.owner();
    let main = web.host(owner);
    let home = web.page(main);
    for _ in 0..4 {
        let host = web.host(owner);
        for page in web.pages(host, 40) {
            web.link(page, home);
            web.link(home, page);
        }
    }
}

/// Documentation and four copies of it, which name the original on every page.
fn mirrors(web: &mut Web) {
    let host = web.new_host();
    let original = web.pages(host, 200);
    let mut copies = vec![original.clone()];
    for _ in 0..4 {
        let host = web.new_host();
        copies.push(web.pages(host, 200));
    }
    let partners: Vec<_> = (0..5).filter_map(|_| web.some_honest()).collect();
    for copy in &copies {
        for (number, page) in copy.iter().enumerate() {
            // Contents, previous, next, the original's home page, and a footer.
            web.link(copy[0], *page);
            web.link(*page, copy[0]);
            web.link(*page, copy[number.saturating_sub(1)]);
            web.link(*page, copy[(number + 1) % 200]);
            web.link(*page, original[0]);
            partners.iter().for_each(|partner| web.link(*page, *partner));
        }
        web.link(original[0], copy[0]);
    }
}

/// Ten blogs that name each other on every page.
fn friends(web: &mut Web) {
    let blogs: Vec<_> = (0..10)
        .map(|_| {
            let host = web.new_host();
            web.pages(host, 12)
        })
        .collect();
    for blog in &blogs {
        for post in blog {
            web.link(blog[0], *post);
            web.link(*post, blog[0]);
            for friend in &blogs {
                web.link(*post, friend[0]);
            }
        }
    }
}

/// A page that lists 300 small sites, a third of which link back.
fn directory(web: &mut Web) {
    let host = web.new_host();
    let directory = web.page(host);
    for number in 0..300 {
        let host = web.new_host();
        let pages = web.pages(host, 4);
        web.link(directory, pages[0]);
        for page in &pages[1..] {
            web.link(pages[0], *page);
            web.link(*page, pages[0]);
        }
        if number % 3 == 0 {
            web.link(pages[0], directory);
        }
    }
}

/// Many small blogs with one link, to the platform, which the rest of the web knows well.
fn platform(web: &mut Web) {
    let host = web.new_host();
    let platform = web.page(host);
    for _ in 0..400 {
        if let Some(page) = web.some_honest() {
            web.link(page, platform);
        }
    }
    for _ in 0..200 {
        let host = web.new_host();
        let blog = web.page(host);
        web.link(blog, platform);
        if let Some(reader) = web.some_honest() {
            web.link(reader, blog);
        }
    }
}

/// Twenty hosts of one company link to its pages at three places where everybody has one.
fn company(web: &mut Web) {
    let places: Vec<u32> = (0..3).map(|_| web.new_host()).collect();
    for place in &places {
        for _ in 0..60 {
            let profile = web.page(*place);
            if let Some(page) = web.some_honest() {
                web.link(page, profile);
            }
        }
    }
    let profiles: Vec<_> = places.iter().map(|place| web.page(*place)).collect();
    let owner = web.owner();
    for _ in 0..20 {
        let host = web.host(owner);
        let pages = web.pages(host, 10);
        for page in &pages {
            web.link(*page, pages[0]);
            web.link(pages[0], *page);
            profiles.iter().for_each(|profile| web.link(*page, *profile));
        }
    }
}
