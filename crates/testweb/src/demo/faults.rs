//! Redirects, errors, slowness, and pages that ask to be left alone.

use std::time::Duration;

use crate::site::{Answer, Pace};

use super::media;
use super::page::Page;
use super::world::{Kind, World};

/// How long the opening counter is closed after the web began.
pub(super) const CLOSED_FOR: Duration = Duration::from_secs(5);

/// Adds faults and files to hosts that exist already.
pub(super) fn build(world: &mut World) {
    redirects_and_errors(world);
    dead_end(world);
    barred(world);
    files(world);
    search_form(world);
    charsets(world);
}

fn redirects_and_errors(world: &mut World) {
    let post = world.host_mut("post.lookfar");
    let moved = |status, to: &str| Answer::redirect(status, to);
    post.put("/old/timetable", Kind::Fault, moved(301, "http://post.lookfar/counter/timetable"));
    post.put("/moved/first", Kind::Fault, moved(301, "/moved/second"));
    post.put("/moved/second", Kind::Fault, moved(302, "/moved/third"));
    post.put("/moved/third", Kind::Fault, moved(307, "/moved/fourth"));
    post.put("/moved/fourth", Kind::Fault, moved(308, "/counter/stamps"));
    post.put("/loop/a", Kind::Fault, moved(301, "/loop/b"));
    post.put("/loop/b", Kind::Fault, moved(301, "/loop/a"));
    let gone = "<title>Gone</title><h1>Closed for good</h1>";
    post.put("/closed", Kind::Fault, Answer::status(410, "text/html; charset=utf-8", gone));

    let queue = Page {
        title: "The queue".to_owned(),
        main: "<p>Thank you for waiting. This page took most of a second to arrive, because there \
               was somebody before you with a parcel of bees. Queues are the oldest form of \
               politeness; a good web crawler knows them well. You are now at the \
               <a href=\"/counter/letters\">counter for letters</a>.</p>\n"
            .to_owned(),
        ..Page::default()
    };
    let pace = Pace { before: Duration::from_millis(800), ..Pace::default() };
    let answer = Answer::html(post.look().render(&queue)).with_pace(pace);
    post.put("/counter/queue", Kind::Good, answer);

    let opening = Page {
        title: "The opening counter".to_owned(),
        main:
            "<p>This counter has opened. For the first seconds of the day it was not, and said so \
               with a 503 and the time to come back. If you can read this, you came back.</p>\n"
                .to_owned(),
        ..Page::default()
    };
    let open = Answer::html(post.look().render(&opening));
    post.put("/counter/opening", Kind::Fault, open);
    post.set_dynamic(Box::new(|request| {
        let closed = request.path() == "/counter/opening" && request.elapsed < CLOSED_FOR;
        closed.then(|| {
            Answer::status(
                503,
                "text/html; charset=utf-8",
                "<title>Closed</title><h1>Not open yet</h1>",
            )
            .with_header("Retry-After", "3")
        })
    }));
}

/// A page without a single link.
fn dead_end(world: &mut World) {
    let html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>The end of \
        Stair Lane</title></head>\n<body style=\"font:18px Georgia,serif;max-width:36em;margin:3em auto\">\n\
        <h1>The end of Stair Lane</h1>\n<p>At the top of Stair Lane, after one hundred and four steps, \
        there is a wall. Nobody knows who built it, or against whom. A stone in it says: well climbed, \
        stranger, now turn round. There is no gate, no bench and no way on.</p>\n\
        <p>People who come here catch their breath, read the stone, and laugh or do not laugh. Then \
        they walk back the way they came. This page is the same: it has no links. Mathematicians \
        call it a dead end, and the random reader has to start again somewhere else.</p>\n</body>\n</html>\n";
    let town = world.host_mut("northhaven.lookfar");
    town.put("/town/end-of-stair-lane", Kind::Good, Answer::html(html));
}

fn barred(world: &mut World) {
    let club = world.host_mut("members.lookfar");
    for (path, title) in [("/private/minutes", "Minutes"), ("/private/members-list", "Members")] {
        let main =
            "<p>For members only. A robot that reads this has not read robots.txt.</p>".to_owned();
        club.page(path, Kind::Barred, &Page { title: title.to_owned(), main, ..Page::default() });
    }
    let menu = Page {
        title: "Today's menu".to_owned(),
        head: "<meta name=\"robots\" content=\"noindex\">\n".to_owned(),
        main: "<p>Today: pea soup, fried whiting with capers, baked apples. By the time a search \
               engine had read this, it would be eaten.</p>\n<p><a href=\"/club/dinners\">Thursday \
               dinners</a></p>\n"
            .to_owned(),
        ..Page::default()
    };
    club.page("/club/todays-menu", Kind::Barred, &menu);
    let guestbook = Page {
        title: "Guest book".to_owned(),
        head: "<meta name=\"robots\" content=\"nofollow\">\n".to_owned(),
        main: "<p>Lovely house, terrible stairs. We shall come again when our knees have forgotten. \
               — The crew of the Second Breakfast</p>\n<p>Great page! Visit <a \
               href=\"http://cheap-lamps.lookfar/\">cheap lamps</a>! — A friend</p>\n<p>I left my hat \
               <a href=\"/club/behind-the-bar\">behind the bar</a>. — O.</p>\n<p>The soup was better \
               in 1974. — Somebody who was there</p>\n"
            .to_owned(),
        ..Page::default()
    };
    club.page("/club/guestbook", Kind::Good, &guestbook);
    let hat = Page {
        title: "Behind the bar".to_owned(),
        main:
            "<p>A hat, two umbrellas and a page that is linked only from where links are not to be \
               followed.</p>"
                .to_owned(),
        ..Page::default()
    };
    club.page("/club/behind-the-bar", Kind::Barred, &hat);
}

fn files(world: &mut World) {
    let tide = [
        "REPORT ON THE TIDES OF PORT MERIDIAN",
        "To the harbour board, by Runa Elsworth, engineer, in the year 1903.",
        "The board has asked why the printed tide tables have been wrong since about 1868. I have \
         read the tide gauge every ten minutes for one lunar month, by night with the help of my \
         brother, and compared the readings with the tables.",
        "High water at the inner quay arrives nine minutes later than the tables say. At the outer \
         mole it arrives on time. The delay is caused by the harbour wall of 1868, which narrows the \
         entrance from ninety to forty metres. Water needs time to pass through a narrow door.",
        "I propose that nine minutes be added to all tables for the inner quay, and that the cost of \
         the last two groundings be charged to the wall.",
        "Respectfully submitted.",
    ];
    let bees = [
        "BEES FOR BEGINNERS",
        "Published by the beekeepers of Little Orrin, for people who have just been stung.",
        "A swarm is a family that is looking for a home. It is not angry. It has eaten as much honey \
         as it can carry and would like to sleep. Stand still, move slowly, call a beekeeper.",
        "A hive needs a dry place, morning sun, water within two hundred metres and a keeper who \
         comes by to look but does not open the lid more often than needed.",
        "Take no more honey than the bees can spare. Leave fifteen kilograms for the winter.",
    ];
    let map = [
        "HOW TO FOLD A MAP",
        "A leaflet of the surveyor's office, Northhaven.",
        "Lay the map face down. Fold it in half along the longer side. Fold it like an accordion, \
         first to the front, then to the back, in eight parts. Fold the strip in the middle.",
        "If it does not fit into its cover, you have folded somebody else's map.",
    ];
    let room = world.host_mut("reading-room.lookfar");
    for (name, title, text) in [
        ("tide-report", "Report on the tides of Port Meridian", &tide[..]),
        ("bees-for-beginners", "Bees for beginners", &bees[..]),
        ("fold-a-map", "How to fold a map", &map[..]),
    ] {
        let bytes = media::pdf(title, &media::wrap(text));
        room.put(&format!("/files/{name}.pdf"), Kind::File, Answer::ok("application/pdf", bytes));
    }
}

/// The part of W14 that robots must not fetch.
fn search_form(world: &mut World) {
    let host = world.host_mut("search.lookfar");
    let page = Page {
        title: "Search this site".to_owned(),
        main: "<form action=\"/search\"><input name=\"q\"> <button>Search</button></form>\n\
               <p>No results. A robot that reads this has not read robots.txt.</p>"
            .to_owned(),
        ..Page::default()
    };
    host.page("/search", Kind::Barred, &page);
}

/// Two pages from before UTF-8: one says so in the header, one only in its own head.
fn charsets(world: &mut World) {
    world.host_mut("dansk.lookfar").edit("/side/blaesten", |answer| {
        let html = String::from_utf8_lossy(&answer.body).replace("<meta charset=\"utf-8\">\n", "");
        *answer = Answer::ok("text/html; charset=ISO-8859-1", western(&html));
    });
    world.host_mut("francais.lookfar").edit("/chronique/vent", |answer| {
        let html = String::from_utf8_lossy(&answer.body)
            .replace("<meta charset=\"utf-8\">", "<meta charset=\"windows-1252\">");
        *answer = Answer::ok("text/html", western(&html));
    });
}

/// Returns the text in windows-1252, which browsers also read when a page says ISO-8859-1.
fn western(text: &str) -> Vec<u8> {
    let byte = |ch: char| match ch {
        '–' => 0x96,
        '’' => 0x92,
        '“' => 0x93,
        '”' => 0x94,
        '…' => 0x85,
        'œ' => 0x9c,
        _ => u8::try_from(u32::from(ch)).unwrap_or(b'?'),
    };
    text.chars().map(byte).collect()
}
