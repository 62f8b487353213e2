//! Pages that look like others: soft 404, parking, spellings, honey-pots, a chain.

use base::Oddity;
use testweb::{Answer, Request, Site, Web};

use super::{Trap, all, link, page, prose};

/// Whatever is asked for, the answer is a friendly page that leads one step deeper.
fn soft() -> Trap {
    let links: String = (0..40).map(|n| link(&format!("/gone/{n}"))).collect();
    Trap::new("soft", &links, |request| {
        let here = request.path().trim_end_matches('/');
        let deeper = format!("<a href=\"{here}/older\">An older version</a>");
        let sorry = prose(&["sorry"], 40);
        Some(page("Sorry", &format!("<p>We could not find it. {sorry}</p>{deeper}")))
    })
}

/// A host that says the same for every address, the front page too.
struct Parked;

impl Site for Parked {
    fn host(&self) -> &'static str {
        "parked.lookfar"
    }

    fn answer(&self, _: &Request<'_>) -> Answer {
        let links: String = (0..50).map(|n| link(&format!("/topic/{n}"))).collect();
        page("This domain is for sale", &format!("<p>{}</p>{links}", prose(&["sale"], 60)))
    }
}

/// Each of thirty pages answers to five spellings, and links to all spellings of the next.
fn spellings() -> Trap {
    let spellings = |n: usize| {
        [
            format!("/Item/Page{n}"),
            format!("/item/page{n}"),
            format!("/item/page{n}/"),
            format!("/item/page{n}/index.html"),
            format!("/item//page{n}"),
        ]
    };
    let links = move |n: usize| spellings(n).iter().map(|path| link(path)).collect::<String>();
    Trap::new("spellings", &links(0), move |request| {
        let path = request.path().to_ascii_lowercase().replace("//", "/");
        let path = path.trim_end_matches("index.html").trim_end_matches('/');
        let n: usize = path.strip_prefix("/item/page")?.parse().ok()?;
        let text = prose(&["item", path], 60);
        Some(page("Item", &format!("<p>{text}</p>{}", links((n + 1) % 30))))
    })
}

fn pot() -> Trap {
    let entry = "<a href=/pot/0>do not</a><a href=/pot/1 style=\"display:none\">do not</a>\
                 <a href=/pot/2 hidden>x</a>";
    let pot = Trap::new("pot", entry, |request| {
        request.path().strip_prefix("/pot/").map(|_| page("Caught", &link("/pot/3")))
    });
    pot.with_robots("User-agent: *\nDisallow: /pot/\n")
}

fn chain() -> Trap {
    Trap::new("chain", &link("/link/1"), |request| {
        let n: u32 = request.path().strip_prefix("/link/")?.parse().ok()?;
        (n < 10_000).then(|| {
            let text = prose(&["chain", &n.to_string()], 60);
            page("A link", &format!("<p>{text}</p>{}", link(&format!("/link/{}", n + 1))))
        })
    })
}

/// Returns the traps of this file.
pub(super) fn traps() -> Vec<Trap> {
    let beside = Trap::new("beside", &link("http://parked.lookfar/"), |_| None);
    vec![soft(), spellings(), pot(), chain(), beside]
}

/// Returns the hosts of this file that have no good pages.
pub(super) fn web() -> Web {
    Web::new().site(Parked)
}

/// Returns how many addresses that begin like this are in the results.
fn num_searchable(start: &str) -> usize {
    let records = all().records.iter().filter(|(url, _)| url.to_lowercase().starts_with(start));
    records.filter(|(_, said)| said.last().unwrap().is_searchable()).count()
}

#[test]
fn lnk_09_soft_404_pages_are_few_and_stay_out() {
    all().check("soft");
    assert_eq!(num_searchable("http://soft.lookfar/gone/"), 0);
    let said = all().records.iter().filter(|(url, _)| url.starts_with("http://soft.lookfar/"));
    let last = said.map(|(_, said)| said.last().unwrap());
    let recognised = last.filter(|record| record.oddities.contains(&Oddity::SoftMissing)).count();
    assert!(recognised > 0, "nothing was recognised");
}

#[test]
fn http_30_a_parking_page_is_left_soon() {
    all().check("beside");
    all().check_share("parked", all().fetched("parked.lookfar").len());
    assert_eq!(num_searchable("http://parked.lookfar/"), 1, "one page, many addresses");
}

#[test]
fn lnk_13_spellings_of_one_page_are_merged() {
    all().check("spellings");
    assert_eq!(num_searchable("http://spellings.lookfar/item/"), 30, "each page once");
}

#[test]
fn lnk_16_a_honey_pot_is_never_touched() {
    all().check("pot");
    assert!(!all().fetched("pot.lookfar").iter().any(|path| path.starts_with("/pot/")));
    // Links that nobody sees are not even followed.
    assert!(all().snapshot.reasons["robots"] >= 1);
}

#[test]
fn lnk_17_a_long_chain_ends_at_the_depth_limit() {
    all().check("chain");
    // The hub is the seed, the host's front page lies one link from it, the first link two.
    let links = all().fetched("chain.lookfar");
    let links = links.iter().filter(|path| path.starts_with("/link/")).count();
    assert_eq!(links, 31, "32 links from the seed");
    assert!(all().snapshot.reasons[crawl::LeftOut::TooDeep.name()] > 0);
}
