//! Killed while an index of an older format is replaced (STO-02).

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use super::Scene;
use crate::kill::check_pages;
use crate::run::{expect, lookfar, output};

const OLDER: &str = "lookfar index 8\n";
const KILLS: usize = 10;

#[test]
fn sto_02_killed_while_an_older_index_is_replaced_everything_is_there_in_the_end() {
    let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let scene = Scene::new(400, 400);
    scene.crawl_to_end();
    let format = scene.place.index().join("FORMAT");
    let present = fs::read_to_string(&format).unwrap();
    assert_ne!(present, OLDER);
    fs::write(&format, OLDER).unwrap();
    let (mut kills, mut halves) = (0, 0);
    while kills < KILLS {
        let mut child = lookfar(&scene.dir, &["crawl", "--until-idle"]).spawn().unwrap();
        // Now and then it is let go on until the old index is gone.
        while kills % 2 == 1
            && fs::read_to_string(&format).is_ok_and(|text| text == OLDER)
            && child.try_wait().unwrap().is_none()
        {
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_millis(random.u64(0..300)));
        let has_ended = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        let is_new = fs::read_to_string(&format).is_ok_and(|text| text == present);
        let num_docs = || rank::Searcher::open(&scene.place).ok()?.num_docs().ok();
        halves += usize::from(is_new && !has_ended);
        println!("ended {has_ended}, new {is_new}, {:?} documents", num_docs());
        if has_ended {
            // It was quicker; once more from the beginning.
            fs::write(&format, OLDER).unwrap();
        }
        kills += usize::from(!has_ended);
    }
    println!("{halves} of {kills} kills met an index that was being filled");
    scene.crawl_to_end();
    assert_eq!(fs::read_to_string(&format).unwrap(), present);
    expect(&output(&scene.dir, &["check"]), 0);
    check_pages(&scene.generated, &scene.place);
}
