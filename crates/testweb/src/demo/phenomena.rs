//! The inventory: what can be seen where on the demo web.

/// Something the mission speaks of, with an address that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phenomenon {
    /// A short name, unique in the inventory.
    pub name: &'static str,
    /// Row or worked example of the mission.
    pub row: &'static str,
    /// Where to look.
    pub url: &'static str,
    /// What is to be seen there.
    pub note: &'static str,
}

/// Returns the inventory of the demo web.
pub fn phenomena() -> &'static [Phenomenon] {
    PHENOMENA
}

const fn see(
    name: &'static str,
    row: &'static str,
    url: &'static str,
    note: &'static str,
) -> Phenomenon {
    Phenomenon { name, row, url, note }
}

const PHENOMENA: &[Phenomenon] = &[
    // Words and answers.
    see("d1", "W9", "http://seven.lookfar/d1", "jaguar new world mammal felidae family"),
    see("d2", "W9", "http://seven.lookfar/d2", "jaguar design four new engine"),
    see("d3", "W9", "http://seven.lookfar/d3", "jaguar atari keen 68k family device"),
    see("d4", "W9", "http://seven.lookfar/d4", "jacksonville jaguar professional us football team"),
    see(
        "d5",
        "W9",
        "http://seven.lookfar/d5",
        "mac os x jaguar available price us $199 apple new family pack",
    ),
    see(
        "d6",
        "W9",
        "http://seven.lookfar/d6",
        "one such rule family incorporate jaguar their name jaguar paw",
    ),
    see("d7", "W9", "http://seven.lookfar/d7", "big cat"),
    see("jaguar animal", "W11", "http://wildcats.lookfar/cats/jaguar", "the animal"),
    see("jaguar car", "W11", "http://classiccars.lookfar/cars/jaguar-e-type", "the car"),
    see(
        "jaguar console",
        "W11",
        "http://retrogames.lookfar/shelf/atari-jaguar.html",
        "the console",
    ),
    see(
        "jaguar team",
        "W11",
        "http://gridiron.lookfar/teams/jacksonville-jaguars",
        "the football team",
    ),
    see(
        "jaguar system",
        "W11",
        "http://macfolk.lookfar/notes/mac-os-x-jaguar",
        "the operating system",
    ),
    see(
        "misleading sidebar",
        "W15",
        "http://lighthouses.lookfar/lights/a-keepers-day",
        "the article says lighthouse, the sidebar saffron; `saffron lighthouse` must not rank it high",
    ),
    see(
        "saffron and lighthouse 1",
        "W15",
        "http://lighthouses.lookfar/lights/saffron-lighthouse",
        "honestly about both",
    ),
    see(
        "saffron and lighthouse 2",
        "W15",
        "http://cookbook.lookfar/recipes/saffron-buns",
        "honestly about both",
    ),
    see(
        "saffron and lighthouse 3",
        "W15",
        "http://news.lookfar/article/saffron-garden",
        "honestly about both",
    ),
    see(
        "home page of pictures",
        "W16",
        "http://atelier57.lookfar/",
        "first for `Ostrelund Lanterns` by the anchors of others; no such word on the page",
    ),
    see(
        "name in running text",
        "W16",
        "http://news.lookfar/article/lantern-makers",
        "says Ostrelund Lanterns in title and text, and still comes second",
    ),
    // Links.
    see("hub", "G5", "http://directory.lookfar/", "leads to every host"),
    see(
        "dead end",
        "W2",
        "http://northhaven.lookfar/town/end-of-stair-lane",
        "a page without links",
    ),
    see("rank sink", "W3", "http://whirlpool.lookfar/", "pages that link only among themselves"),
    see(
        "spam farm",
        "W7",
        "http://cheap-lamps.lookfar/",
        "72 pages on two hosts boost this stuffed page",
    ),
    see("farm page", "G7", "http://best-offers.lookfar/offer/1", "one of the supporters"),
    see(
        "link exchange",
        "G7",
        "http://oak-ring.lookfar/",
        "with elm-ring and ash-ring, on every page",
    ),
    see(
        "several hosts of one site",
        "G11",
        "http://people.university.lookfar/",
        "university, people, library",
    ),
    // Spam in the page.
    see("term stuffing", "S1", "http://cheap-lamps.lookfar/", "the same words over and over"),
    see(
        "hidden text",
        "P7",
        "http://cheap-lamps.lookfar/special-offer",
        "display:none, white on white, one pixel, off screen, hidden",
    ),
    // Copies.
    see("mirrored host", "C13", "http://birds-mirror.lookfar/", "birds.lookfar page by page"),
    see(
        "near duplicate list",
        "C13",
        "http://courier.lookfar/reprints",
        "articles of news.lookfar with another date and sidebar",
    ),
    see("index.html", "W13", "http://islands.lookfar/index.html", "the same as `/`"),
    see(
        "odd addresses",
        "W13",
        "http://railway.lookfar/great-sunder/",
        "default port, dot segments, fragments, tracking parameters, upper case",
    ),
    see("www", "C9", "http://www.northhaven.lookfar/", "301 to the name without www"),
    // Traps.
    see(
        "endless calendar",
        "C14",
        "http://almanac.lookfar/calendar/2031/05",
        "each month links to the next",
    ),
    see(
        "session ids",
        "C14",
        "http://bazaar.lookfar/",
        "links carry a number that changes each minute",
    ),
    see("soft 404", "C14", "http://oldtown.lookfar/place/goat-gate", "200 for whatever is asked"),
    // Robots.
    see(
        "allow within disallow",
        "W14",
        "http://search.lookfar/robots.txt",
        "Allow: /searchhistory/, Disallow: /search",
    ),
    see("allowed", "W14", "http://search.lookfar/searchhistory/archie", "may be fetched"),
    see("disallowed", "W14", "http://search.lookfar/search?q=history", "must not be fetched"),
    see("crawl delay", "C4", "http://members.lookfar/robots.txt", "two seconds, and a closed part"),
    see("closed part", "C5", "http://members.lookfar/private/minutes", "must not be fetched"),
    see("noindex", "C6", "http://members.lookfar/club/todays-menu", "asks not to be indexed"),
    see(
        "nofollow",
        "C6",
        "http://members.lookfar/club/guestbook",
        "its links must not be followed",
    ),
    see("sitemap", "C7", "http://glossary.lookfar/sitemap.xml", "named in robots.txt"),
    // Answers of servers.
    see("redirect", "C8", "http://post.lookfar/old/timetable", "301"),
    see(
        "redirect chain",
        "C8",
        "http://post.lookfar/moved/first",
        "301, 302, 307, 308, then a page",
    ),
    see("redirect loop", "C14", "http://post.lookfar/loop/a", "a and b point at each other"),
    see("not found", "C14", "http://post.lookfar/counter/missing-window", "404, linked"),
    see("gone", "C14", "http://post.lookfar/closed", "410"),
    see("slow page", "C4", "http://post.lookfar/counter/queue", "0.8 s before the first byte"),
    see(
        "retry after",
        "C4",
        "http://post.lookfar/counter/opening",
        "503 with Retry-After for the first 5 s",
    ),
    see("changing page", "C15", "http://clock.lookfar/now", "another text each minute"),
    // Formats and languages.
    see(
        "pdf",
        "P4",
        "http://reading-room.lookfar/files/tide-report.pdf",
        "Helvetica, uncompressed",
    ),
    see("charset in the header", "P3", "http://dansk.lookfar/side/blaesten", "ISO-8859-1"),
    see(
        "charset in the page",
        "P3",
        "http://francais.lookfar/chronique/vent",
        "windows-1252 by meta only",
    ),
    see(
        "pictures with captions",
        "P8",
        "http://photos.lookfar/",
        "figures, captions, alternative text",
    ),
    see("Danish", "T1", "http://dansk.lookfar/", "Danish prose"),
    see("Japanese", "T1", "http://nihon.lookfar/", "no spaces between words"),
    see("Arabic", "T1", "http://arabi.lookfar/", "right to left"),
    see("German", "T1", "http://deutsch.lookfar/", "German prose"),
    see("French", "T1", "http://francais.lookfar/", "French prose"),
];
