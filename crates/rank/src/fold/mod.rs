//! From the order of the pages to the list that people see (Q9): near copies are folded into the
//! best of them, and the first page is not one site's alone.
//!
//! Both only move or hide entries behind better ones, in one pass from the best down. So a list
//! that is made longer keeps its beginning: page two goes on where page one ended, nothing comes
//! twice and nothing is lost, as long as the index and the length of a page stay as they are.

mod alike;
mod site;

use std::collections::HashMap;
use std::sync::Arc;

use index::Print;

use alike::Prints;
pub(crate) use site::{Sites, name as site_name};

/// Entries that make the first page at least.
pub(crate) const FIRST_PAGE: usize = 10;
/// Entries that make it at most: who asks for more at a time lists, and does not read a page.
const LONGEST_PAGE: usize = 50;
/// Entries of one site on it.
const PER_SITE: usize = 2;
/// Entries of one voice on it: two people's sites on one host have their places, but who makes many
/// sites on his domain does not fill the page with them.
const PER_VOICE: usize = 4;
/// How far down entries of other sites are looked for, in first pages.
const LOOK_AHEAD: usize = 10;
/// How good they must be, as a share of the best score.
const WORTH: f32 = 0.25;

/// What folding needs to know of a page; best first.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Its web site.
    pub(crate) site: Arc<str>,
    /// Who answers for the site: a registered domain, or several that are one.
    pub(crate) voice: Arc<str>,
    pub(crate) print: Option<Print>,
    pub(crate) score: f32,
}

/// An entry of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its place among the items.
    pub(crate) item: usize,
    /// Items that are folded into it.
    pub(crate) similar: u32,
    /// Entries of its site that had to stand back behind the first page; told by the last of
    /// its entries there.
    pub(crate) held_back: u32,
}

/// Makes the list that is read in pages of so many entries. The first page is chosen among the first
/// `num_first` items, so that a list that a wider search makes longer keeps it.
pub(crate) fn arrange(items: &[Item], num_first: usize, page: usize) -> Vec<Entry> {
    mix(items, fold(items), num_first, page.clamp(FIRST_PAGE, LONGEST_PAGE))
}

/// Returns the items as they are.
pub(crate) fn plain(num_items: usize) -> Vec<Entry> {
    (0..num_items).map(|item| Entry { item, similar: 0, held_back: 0 }).collect()
}

/// Folds each item into the best entry that it resembles.
fn fold(items: &[Item]) -> Vec<Entry> {
    let (mut entries, mut prints) = (Vec::<Entry>::with_capacity(items.len()), Prints::new());
    for (item, Item { print, .. }) in items.iter().enumerate() {
        if let Some(entry) = print.as_ref().and_then(|print| prints.find(print)) {
            entries[entry].similar += 1;
            continue;
        }
        if let Some(print) = print {
            prints.push(entries.len(), *print);
        }
        entries.push(Entry { item, similar: 0, held_back: 0 });
    }
    entries
}

/// Holds entries of sites and voices that have enough on the first page already behind it, as far
/// as others can take their places.
fn mix(items: &[Item], entries: Vec<Entry>, num_first: usize, page: usize) -> Vec<Entry> {
    let best = entries.first().map_or(0.0, |entry| items[entry.item].score);
    let is_near = |place: usize, entry: &Entry| {
        let is_worth_it = place < LOOK_AHEAD * page && items[entry.item].score >= best * WORTH;
        place < page || (is_worth_it && entry.item < num_first)
    };
    let mut counts = Counts::default();
    let (mut first, mut others) = (Vec::new(), Vec::new());
    for (place, entry) in entries.into_iter().enumerate() {
        let has_room = first.len() < page && is_near(place, &entry);
        if has_room && counts.take(&items[entry.item], PER_VOICE) {
            first.push(entry);
        } else {
            others.push((place, entry));
        }
    }
    // Where no others are, a voice may have more of its sites after all, and then a site more of
    // its pages.
    let mut rest = Vec::new();
    for (place, entry) in others {
        let has_room = first.len() < page && is_near(place, &entry);
        if has_room && counts.take(&items[entry.item], page) {
            first.push(entry);
        } else {
            rest.push(entry);
        }
    }
    let behind = rest.split_off(page.saturating_sub(first.len()).min(rest.len()));
    first.append(&mut rest);
    tell_held_back(items, &mut first, &behind[..behind.len().min(LOOK_AHEAD * page)]);
    first.extend(behind);
    first
}

/// Entries of each site and of each voice on the first page.
#[derive(Default)]
struct Counts<'a> {
    by_site: HashMap<&'a str, usize>,
    by_voice: HashMap<&'a str, usize>,
}

impl<'a> Counts<'a> {
    /// Counts an entry unless its site or its voice has enough.
    fn take(&mut self, Item { site, voice, .. }: &'a Item, per_voice: usize) -> bool {
        let of_site = self.by_site.entry(site).or_default();
        let of_voice = self.by_voice.entry(voice).or_default();
        let has_room = *of_site < PER_SITE && *of_voice < per_voice;
        *of_site += usize::from(has_room);
        *of_voice += usize::from(has_room);
        has_room
    }
}

fn tell_held_back(items: &[Item], first: &mut [Entry], rest: &[Entry]) {
    let site_of = |entry: &Entry| &items[entry.item].site;
    // Where all are of one site, the next page is more of it.
    if first.windows(2).all(|pair| site_of(&pair[0]) == site_of(&pair[1])) {
        return;
    }
    let mut held_back: HashMap<&str, u32> = HashMap::new();
    for entry in rest {
        *held_back.entry(&items[entry.item].site).or_default() += 1;
    }
    for entry in first.iter_mut().rev() {
        entry.held_back = held_back.remove(&*items[entry.item].site).unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use base::Sketch;

    use super::*;

    /// One item per word: a letter for the site, and one for the text; a capital letter is of the
    /// voice of all capital letters.
    fn items(list: &str) -> Vec<Item> {
        let item = |(place, word): (usize, &str)| {
            let (site, text) = word.split_at(1);
            let seed = text.bytes().next().map_or(place as u32 + 1_000, u32::from);
            let hash = |number: u32| {
                let mixed = (seed ^ number << 16).wrapping_mul(0x9E37_79B9);
                (mixed ^ mixed >> 15).wrapping_mul(0x85EB_CA6B) >> 7
            };
            let sketch = Sketch((0..84).map(hash).collect());
            let score = 100.0 - place as f32;
            let is_shared = site.starts_with(|site: char| site.is_ascii_uppercase());
            let voice = if is_shared { "all" } else { site }.into();
            Item { site: site.into(), voice, print: Print::of(&sketch), score }
        };
        list.split(' ').enumerate().map(item).collect()
    }

    fn all_of(items: &[Item]) -> Vec<Entry> {
        arrange(items, items.len(), 10)
    }

    fn places(entries: &[Entry]) -> Vec<usize> {
        entries.iter().map(|entry| entry.item).collect()
    }

    #[test]
    fn near_copies_are_one_entry_that_counts_them() {
        let entries = all_of(&items("ax by cx dy ex"));
        assert_eq!(places(&entries), [0, 1]);
        assert_eq!(entries.iter().map(|entry| entry.similar).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(places(&plain(3)), [0, 1, 2]);
    }

    #[test]
    fn texts_too_short_to_compare_are_not_folded() {
        let mut list = items("ax bx");
        list.iter_mut().for_each(|item| item.print = None);
        assert_eq!(places(&all_of(&list)), [0, 1]);
    }

    #[test]
    fn a_site_has_two_entries_on_the_first_page_if_others_are_there() {
        let entries = all_of(&items("a a a b a c a d e f g h i j"));
        assert_eq!(places(&entries), [0, 1, 3, 5, 7, 8, 9, 10, 11, 12, 2, 4, 6, 13]);
        let held_back: Vec<u32> = entries.iter().map(|entry| entry.held_back).collect();
        assert_eq!(held_back[..4], [0, 3, 0, 0]);
    }

    #[test]
    fn a_longer_page_is_mixed_as_a_whole() {
        let list =
            items(&format!("{} b c d e f g h i j k l m n o p q r s t u v", ["a"; 30].join(" ")));
        let of_a = |page: usize| {
            let entries = arrange(&list, list.len(), page);
            entries[..page].iter().filter(|entry| &*list[entry.item].site == "a").count()
        };
        assert_eq!([10, 20].map(of_a), [2, 2]);
        // There are 21 others.
        assert_eq!(of_a(30), 9);
        // A page that is shorter than any is no reason to show more of a site behind it.
        assert_eq!(arrange(&list, list.len(), 3), arrange(&list, list.len(), 10));
        assert_eq!(arrange(&list, list.len(), 900), arrange(&list, list.len(), 50));
    }

    #[test]
    fn many_sites_of_one_voice_leave_places_to_others() {
        // Two of A, two of B, and no more of their domain as long as there are others.
        let entries = all_of(&items("A A A B B B C C D D e e e f g h i j"));
        assert_eq!(places(&entries)[..10], [0, 1, 3, 4, 10, 11, 13, 14, 15, 16]);
        // If there are none, each of its sites has its share before one has more.
        let entries = all_of(&items("A A A B B B C C D e"));
        assert_eq!(places(&entries), [0, 1, 3, 4, 9, 6, 7, 8, 2, 5]);
    }

    #[test]
    fn a_site_that_is_alone_fills_the_page_in_order() {
        let entries = all_of(&items(&["a"; 25].join(" ")));
        assert_eq!(places(&entries), (0..25).collect::<Vec<_>>());
        assert!(entries.iter().all(|entry| entry.held_back == 0));
        let entries = all_of(&items("a a a b a"));
        assert_eq!(places(&entries), [0, 1, 3, 2, 4]);
        assert!(entries.iter().all(|entry| entry.held_back == 0));
    }

    #[test]
    fn what_hardly_fits_takes_no_place_on_the_first_page() {
        let mut list = items("a a a a a a a a a a a b");
        list[11].score = 1.0;
        assert_eq!(places(&all_of(&list)), (0..12).collect::<Vec<_>>());
    }

    #[test]
    fn what_a_wider_search_adds_stays_behind_the_first_page() {
        let all = items("a a a a a a a a a a a b c d");
        assert_eq!(places(&all_of(&all))[..10], [0, 1, 11, 12, 13, 2, 3, 4, 5, 6]);
        let first = all_of(&all[..11]);
        assert_eq!(places(&arrange(&all, 11, 10))[..11], places(&first));
    }

    #[test]
    fn a_longer_list_begins_with_the_shorter_one() {
        let mut words = Vec::new();
        for number in 0_u32..300 {
            let site = char::from(b'a' + (number * 7 % 5) as u8);
            let text = char::from(b'A' + (number * 13 % 26) as u8);
            words.push(if number % 3 == 0 { format!("{site}{text}") } else { site.to_string() });
        }
        let all = items(&words.join(" "));
        let list = places(&all_of(&all));
        for length in 150..300 {
            let shorter = places(&all_of(&all[..length]));
            assert_eq!(list[..shorter.len()], shorter);
        }
        // Each once: as an entry, or folded into one.
        let folded: u32 = all_of(&all).iter().map(|entry| entry.similar).sum();
        let mut sorted = list.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len() + folded as usize, all.len());
    }
}
