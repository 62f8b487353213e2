//! What looks like spam and is none.

use super::web::Web;

#[track_caller]
fn check_clean(web: &Web) {
    let report = web.find();
    let told: Vec<&Vec<String>> = report.findings.iter().map(|finding| &finding.reasons).collect();
    assert!(report.findings.is_empty(), "{told:#?}");
}

#[test]
fn the_navigation_of_a_site_is_not_named() {
    let mut web = Web::honest(1_000, 1);
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
    check_clean(&web);
}

#[test]
fn sites_on_several_hosts_of_one_owner_are_not_named() {
    let mut web = Web::honest(1_000, 2);
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
    check_clean(&web);
}

#[test]
fn mirrored_documentation_is_not_named() {
    let mut web = Web::honest(2_000, 3);
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
    check_clean(&web);
}

#[test]
fn ten_friends_who_link_to_each_other_are_not_named() {
    let mut web = Web::honest(1_000, 4);
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
    check_clean(&web);
}

#[test]
fn a_directory_is_not_named() {
    let mut web = Web::honest(3_000, 5);
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
    check_clean(&web);
}

#[test]
fn one_page_sites_that_link_to_their_maker_are_not_named() {
    // Many small blogs with one link, to the platform, which the rest of the web knows well.
    let mut web = Web::honest(3_000, 6);
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
    check_clean(&web);
}

#[test]
fn the_footer_of_a_company_is_not_named() {
    // Twenty hosts of one company link to its pages at three places where everybody has one.
    let mut web = Web::honest(1_000, 7);
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
    check_clean(&web);
}
