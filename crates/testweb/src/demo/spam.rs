//! What people do to be found: a link farm, stuffed words, hidden words.

use super::compose::Desk;
use super::grammar::{Grammar, Writer};
use super::page::{Look, Page};
use super::world::{DemoHost, Kind, World, hash};

/// The page that the farm exists for.
pub(super) const TARGET: &str = "http://cheap-lamps.lookfar/";
/// The farm's own host; half of its pages live on the target's host.
pub(super) const FARM: &str = "best-offers.lookfar";
/// Supporting pages on each of the two hosts.
pub(super) const FARM_PAGES: usize = 36;
/// The page with words that nobody sees.
pub(super) const HIDDEN_PAGE: &str = "/special-offer";

const TARGET_HOST: &str = "cheap-lamps.lookfar";

/// Adds the two hosts of the farm.
pub(super) fn build(world: &mut World, desk: &Desk<'_>) {
    let grammar = grammar();
    let mut target = DemoHost::new(TARGET_HOST, look("Cheap Lamps Cheap Lamps", 52));
    target.page("/", Kind::Spam, &target_page());
    target.page(HIDDEN_PAGE, Kind::Spam, &hidden_page());
    farm_pages(&mut target, desk, &grammar);
    world.push(target);

    let mut farm = DemoHost::new(FARM, look("Best Offers Now", 48));
    let links: String = (1..=FARM_PAGES)
        .map(|number| format!("<li><a href=\"/offer/{number}\">Offer number {number}</a></li>\n"))
        .collect();
    let main = format!(
        "<p>The best offers, all of them: <a href=\"{TARGET}\">cheap lamps</a> and more \
         <a href=\"{TARGET}\">cheap lamps</a>.</p>\n<ul>\n{links}</ul>\n"
    );
    farm.page(
        "/",
        Kind::Spam,
        &Page { title: "Best offers now".to_owned(), main, ..Page::default() },
    );
    farm_pages(&mut farm, desk, &grammar);
    world.push(farm);
}

/// Machine-made pages whose only purpose is the link to the target.
fn farm_pages(host: &mut DemoHost, desk: &Desk<'_>, grammar: &Grammar) {
    for number in 1..=FARM_PAGES {
        let path = format!("/offer/{number}");
        let seed = hash(&[&desk.seed.to_le_bytes(), host.url(&path).as_bytes()]);
        let mut writer = Writer::new(grammar, desk.shared, desk.atlas, "farm", seed);
        let text = writer.write("{pitch*6-9}");
        let next = number % FARM_PAGES + 1;
        let main = format!(
            "<p>{text}</p>\n<p>Buy <a href=\"{TARGET}\">cheap lamps</a> today. Do not miss \
             <a href=\"{TARGET}\">cheap lamps cheap lanterns</a>.</p>\n\
             <p><a href=\"/offer/{next}\">Next offer</a></p>\n"
        );
        let title = writer.write("{offer} {n:10-90} percent off");
        host.page(&path, Kind::Spam, &Page { title, main, ..Page::default() });
    }
}

fn grammar() -> Grammar {
    let mut grammar = Grammar::default();
    for pitch in [
        "buy {offer} now, {offer} are cheap, cheap is good.",
        "our {offer} are the best {offer} for {offer} lovers.",
        "{n:100-9000} customers bought {offer} and never looked back.",
        "looking for {offer}? Stop looking for {offer}.",
        "quality {offer} at {offer} prices, shipped by {weekday}.",
        "click here for {offer}, click there for {offer}.",
        "why pay more for {offer} when {offer} cost less?",
        "{offer} reviews: five stars for {offer}, says {person}.",
        "free {offer} with every second {offer}.",
        "top ten {offer} of {n:2019-2026}: number one is {offer}.",
    ] {
        grammar.push("pitch", pitch);
    }
    for offer in ["lamps", "cheap lamps", "lanterns", "ship lamps", "bulbs", "discount lanterns"] {
        grammar.push("offer", offer);
    }
    grammar
}

fn target_page() -> Page {
    let stuffing = "cheap lamps, cheap lanterns, buy lamps, lamp shop, cheap lamp shop, lanterns \
                    cheap, best cheap lamps, lamps lamps lamps, jaguar lamps, cat lamps, news lamps, ";
    let mut main =
        String::from("<p>Cheap lamps! Welcome to cheap lamps, the home of cheap lamps.</p>\n<p>");
    main.push_str(&stuffing.repeat(14));
    main.push_str("</p>\n<ul>\n");
    for number in 1..=FARM_PAGES {
        main.push_str(&format!("<li><a href=\"/offer/{number}\">cheap lamps {number}</a></li>\n"));
    }
    main.push_str(&format!(
        "</ul>\n<p><a href=\"{HIDDEN_PAGE}\">Special offer</a> <a href=\"http://{FARM}/\">More offers</a></p>\n"
    ));
    let head =
        "<meta name=\"keywords\" content=\"cheap lamps, lamps, lanterns, jaguar, cat, news\">\n";
    let title = "Cheap lamps cheap lanterns buy cheap lamps".to_owned();
    Page { title, head: head.to_owned(), main, aside: String::new() }
}

/// One honest paragraph and a page full of words in white, in one pixel, and not displayed.
fn hidden_page() -> Page {
    let words = "harbour lanterns lighthouse lamps recipes jaguar weather news football free ";
    let many = words.repeat(12);
    let main = format!(
        "<p>Today we offer a desk lamp with a green shade for 49 crowns. It has one switch and a \
         cable of two metres. We have eleven of them. The shade is enamelled steel and can be \
         wiped with a wet cloth; the bulb is not included.</p>\n\
         <div style=\"display:none\">{many}</div>\n\
         <p style=\"color:#ffffff;background-color:#ffffff\">{many}</p>\n\
         <p style=\"font-size:1px\">{many}</p>\n\
         <p style=\"position:absolute;left:-9999px\">{many}</p>\n\
         <p hidden>{many}</p>\n<p><a href=\"/\">Back to the shop</a></p>\n"
    );
    Page { title: "Special offer".to_owned(), main, ..Page::default() }
}

fn look(name: &str, hue: u32) -> Look {
    Look {
        name: name.to_owned(),
        tagline: "Buy now".to_owned(),
        hue,
        layout: 4,
        lang: "en".to_owned(),
        nav: vec![
            ("/".to_owned(), "Home".to_owned()),
            (TARGET.to_owned(), "Cheap lamps".to_owned()),
        ],
        footer: "Cheap lamps, cheap lanterns.".to_owned(),
    }
}
