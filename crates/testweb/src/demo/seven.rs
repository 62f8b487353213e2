//! The seven jaguar documents of worked example W9, as pages that people can read.
//!
//! Each page holds the words of its document, and of the words that matter to W9 and W11 no
//! others: `(jaguar AND new AND NOT family) OR cat` over these seven is d2 and d7. That is why
//! the host has a neutral name and its pages have no titles of neighbours in a sidebar.

use super::page::{Look, Page};
use super::world::{DemoHost, Kind, World};

/// Host of the seven pages.
pub(super) const HOST: &str = "seven.lookfar";

/// Title and paragraphs of d1…d7.
const DOCUMENTS: [(&str, &[&str]); 7] = [
    (
        "The jaguar, a mammal of the New World",
        &[
            "The jaguar is a New World mammal of the Felidae family. It lives from the dry hills of \
             Mexico to the wetlands of Argentina, and it is the largest member of its family on both \
             American continents.",
            "Of the four large spotted or striped relatives that can roar, it alone belongs to the \
             New World. It hunts by day and by night, likes water, and has the strongest bite of \
             any mammal of its size.",
        ],
    ),
    (
        "The new Jaguar and its design",
        &[
            "Jaguar showed its new design last week: a long bonnet, a low roof and, under the \
             bonnet, a four-cylinder engine where people had expected six.",
            "The engine is quiet and strong, and the design hides how small it is. Drivers of the \
             old Jaguar will miss the sound. Drivers of the new one will miss the petrol stations.",
        ],
    ),
    (
        "A Jaguar from Atari",
        &[
            "The Jaguar was a game console by Atari. Programmers who were keen on the 68k processor \
             family felt at home at once, because a chip of that family sits in the middle of \
             the device.",
            "Those who were keen on speed had to learn the two custom chips beside it. The device \
             was sold from 1993 to 1996, and a small crowd is still keen on it today.",
        ],
    ),
    (
        "The Jacksonville Jaguars",
        &[
            "The Jacksonville Jaguars are a professional US football team. They play in Florida, in \
             a stadium by the river, and joined the league in 1995.",
            "A professional football team plays about twenty times between August and January. The \
             Jaguars wear teal, and their followers make a noise that can be heard across the river.",
        ],
    ),
    (
        "Mac OS X Jaguar",
        &[
            "Mac OS X Jaguar is available now. The price of the new system is US $129; a Family Pack \
             for up to five computers in one household is available from Apple at a price of US $199.",
            "Apple says that the new Mac OS X Jaguar starts faster and finds printers by itself. The \
             Family Pack comes in a box with spotted fur.",
        ],
    ),
    (
        "Jaguar Paw",
        &[
            "Many Maya kings took an animal into their name. One such ruling family incorporated the \
             jaguar into their name: we call its rulers Jaguar Paw, after the sign on the stones of \
             their city.",
            "One such ruler died on the day when strangers came from the west. His family lost its \
             power, yet the name was used again by kings who wanted to rule as he had ruled.",
        ],
    ),
    (
        "The big cat",
        &[
            "A big cat is a cat that can roar. It sleeps for most of the day, like a small cat, and \
             nobody tells it to get off the chair.",
            "People who meet a big cat in the forest should stand still, look large and walk away \
             backwards. People who meet a small one should offer it fish.",
        ],
    ),
];

/// Adds the host.
pub(super) fn build(world: &mut World) {
    let look = Look {
        name: "Seven Short Readings".to_owned(),
        tagline: "One page each, with a cup of tea".to_owned(),
        hue: 45,
        layout: 2,
        lang: "en".to_owned(),
        nav: vec![("/".to_owned(), "Contents".to_owned())],
        footer: "Set in type by hand, read by lamp light.".to_owned(),
    };
    let mut host = DemoHost::new(HOST, look);
    let mut contents = String::from(
        "<p>These readings are short and have little to do with each other, apart from a word \
         that six of them share.</p>\n<ol>\n",
    );
    for (at, (title, paragraphs)) in DOCUMENTS.iter().enumerate() {
        let number = at + 1;
        contents.push_str(&format!("<li><a href=\"/d{number}\">{title}</a></li>\n"));
        let mut main: String = paragraphs.iter().map(|text| format!("<p>{text}</p>\n")).collect();
        let next = number % DOCUMENTS.len() + 1;
        main.push_str(&format!("<p><a href=\"/d{next}\">Turn the page</a></p>\n"));
        let page = Page { title: (*title).to_owned(), main, ..Page::default() };
        host.page(&format!("/d{number}"), Kind::Good, &page);
    }
    contents.push_str("</ol>\n");
    let home = Page { title: "Seven Short Readings".to_owned(), main: contents, ..Page::default() };
    host.page("/", Kind::Good, &home);
    world.push(host);
}
