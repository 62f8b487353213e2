//! Pictures of the pages, for the documentation and for people who want to look.
//!
//! `LOOKFAR_PICTURES=folder cargo test -p cli --test browser pictures` writes them.

use std::path::PathBuf;

use crate::world::World;

/// Name, width, height, scheme, language and path of each.
const PICTURES: &[(&str, u32, u32, &str, &str, &str)] = &[
    ("start-light", 1280, 800, "light", "en", "/"),
    ("results-light", 1280, 900, "light", "en", "/search?q=lantern"),
    ("results-dark", 1280, 900, "dark", "en", "/search?q=lantern"),
    ("results-phone", 360, 740, "light", "en", "/search?q=lantern"),
    ("results-explained", 1280, 900, "light", "en", "/search?q=jaguar&explain=1"),
    ("results-arabic", 1280, 900, "light", "ar", "/search?q=%D9%85%D8%B5%D8%A8%D8%A7%D8%AD"),
    ("copy", 1280, 800, "light", "en", "/cache?url=http://zoo.example/cats/jaguar&q=jaguar"),
    ("results-phone-dark", 390, 780, "dark", "en", "/search?q=lantern"),
    ("results-japanese", 1280, 900, "light", "ja", "/search?q=lantern"),
    ("results-german", 1280, 900, "light", "de", "/search?q=lantern&lang=en"),
    ("meant", 1280, 800, "light", "en", "/search?q=lantren"),
    ("pictures", 1280, 800, "light", "en", "/pictures?q=jaguar"),
    ("preferences", 1280, 1200, "light", "en", "/preferences"),
    ("programs", 1280, 900, "light", "en", "/api"),
    ("nothing", 1280, 800, "light", "en", "/search?q=nothingwhatsoever"),
];

#[test]
fn pictures_of_the_pages_can_be_taken() {
    let Some(world) = World::get() else { return };
    let folder = std::env::var_os("LOOKFAR_PICTURES").map(PathBuf::from);
    for (name, width, height, scheme, language, path) in PICTURES {
        let tab = world.tab();
        tab.size(*width, *height);
        tab.prefer(scheme);
        tab.speak(language);
        tab.goto(path);
        let picture = tab.picture();
        assert!(picture.starts_with(b"\x89PNG") && picture.len() > 2_000, "{name}");
        if let Some(folder) = &folder {
            std::fs::write(folder.join(format!("{name}.png")), picture).unwrap();
        }
        tab.is_quiet();
    }
}
