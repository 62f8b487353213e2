//! Home pages of 1996: no page may lose all its text.

use super::help::{read, switch, words};
use super::pages;

pub(crate) fn run() {
    let Some(pack) = pages::folder("LOOKFAR_DATA", "webkb") else { return };
    let (mut with_text, mut lost, mut all, mut kept) = (0, 0, 0, 0);
    for path in pages::files(&pack.join("webkb-raw")) {
        let parsed = read(&pages::body(&path));
        let text = words(&parsed.blocks, |_| true).len();
        let main = words(&parsed.blocks, |zone| !zone.is_frame()).len();
        all += text;
        kept += main;
        with_text += usize::from(text > 0);
        if text > 0 && main == 0 {
            lost += 1;
            if switch("--pages") {
                println!("  lost {}", path.display());
            }
        }
    }
    println!("homes: {with_text} pages with text, {lost} of them without main content");
    println!("  {:.2} % of their words are main content", 100.0 * kept as f64 / all as f64);
}
