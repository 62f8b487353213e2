//! What the visits to a page have taught about how often it changes (C15).
//!
//! The rate of change is estimated after Cho and Garcia-Molina ("Estimating frequency of change",
//! 2003): of `n` visits `x` found a change, the mean time between two visits was `t`, so
//!
//! ```text
//! rate = -ln((n - x + 0.5) / (n + 0.5)) / t
//! ```
//! which, unlike `x / (n t)`, allows for changes that fell between two visits. The next visit comes
//! after half the mean time between two changes, as far as one visit may move it: a visit that
//! found a change brings the next one nearer, to half the interval at most, any other puts it off,
//! to twice the interval at most, always between the bounds that the user sets. Old visits fade:
//! beyond 32, all counts are halved.

use std::time::Duration;

use base::{PageRecord, Timestamp};
use parse::fingerprint::NEAR;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::near::Cut;
use crate::fetch::Validators;
use crate::options::AgainOptions;

/// What is known of a page that was there, beside its standing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct History {
    /// Answers so far.
    pub(crate) visits: u32,
    /// Of these, how many brought another page than the one before.
    pub(crate) changes: u32,
    /// When the last answer came.
    pub(crate) visited: Timestamp,
    /// When the page was last found changed, or first found.
    pub(crate) changed: Timestamp,
    /// When it is to be asked for again; `None` while it waits for that, and if never.
    pub(crate) due: Option<Timestamp>,
    /// When the response came whose body is in the archive.
    pub(crate) captured: Timestamp,
    /// What came with that response; nothing is known of it after the frontier was made again.
    pub(crate) arrived: Option<Arrived>,
    /// Its text: hash and likeness.
    pub(crate) text: u128,
    likeness: Likeness,
    watched: Watched,
    /// Seconds from the last visit to the next.
    interval: u32,
    /// Answers in a row that the page is not there any more.
    gone: u8,
}

/// What a response says beside its page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Arrived {
    /// Hash of the body as it came, and of the fields that decide what is read in it.
    pub(crate) payload: u128,
    pub(crate) validators: Validators,
}

/// The visits that the estimate is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Watched {
    visits: u32,
    changes: u32,
    seconds: u64,
}

/// Enough of a text to see whether another one is nearly the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Likeness {
    /// The lowest byte of each min-hash; empty if the text is too short for a sketch.
    sketch: Vec<u8>,
    /// Hashes of the words, sorted; empty if there are more than [`WORDS`].
    words: Vec<u16>,
}

/// Answers that a page is not there any more, after which it is not asked for again.
const GONE: u8 = 5;
/// Visits that count in full.
const WATCHED: u32 = 32;
/// Visits in the mean time between two changes: with two, a page is the newest four times in five.
const VISITS_PER_CHANGE: f64 = 2.0;
/// Words of a text that is compared word by word. In a longer one a single word moves less than
/// the share of the shingles that near duplicates may differ in.
const WORDS: usize = 192;
/// Bytes of such a text at most: nobody says so much with so few words, and looking is not free.
const TEXT_BYTES: usize = 8 * 1024;

impl History {
    /// Begins with the first good answer.
    pub(super) fn first(
        record: &PageRecord,
        arrived: Option<Arrived>,
        options: &AgainOptions,
    ) -> Self {
        let interval = options.first.unwrap_or(options.longest);
        Self {
            visits: 1,
            changes: 0,
            visited: record.fetched,
            changed: record.fetched,
            due: None,
            captured: record.fetched,
            arrived,
            text: record.text_hash,
            likeness: Likeness::of(record),
            watched: Watched::default(),
            interval: seconds(options.bounded(interval)),
            gone: 0,
        }
        .scheduled()
    }

    /// Notes an answer that brought nothing new.
    pub(super) fn unchanged(&mut self, at: Timestamp, options: &AgainOptions) {
        self.answered(at, false, options);
    }

    /// Notes a page that was read again; `brought_more` if it named pages that nobody had named.
    pub(super) fn read_again(
        &mut self,
        record: &PageRecord,
        arrived: Option<Arrived>,
        brought_more: bool,
        options: &AgainOptions,
    ) {
        let likeness = Likeness::of(record);
        // What has no text is compared by its bytes.
        let is_same = match record.text_hash {
            0 if self.text == 0 => payload(&arrived) == payload(&self.arrived),
            hash => hash == self.text || self.likeness.is_like(&likeness),
        };
        let is_changed = !is_same || brought_more || self.gone > 0;
        (self.text, self.likeness) = (record.text_hash, likeness);
        (self.captured, self.arrived) = (record.fetched, arrived);
        self.answered(record.fetched, is_changed, options);
    }

    /// Notes that the page is not there any more: it is asked for a few times more, at growing
    /// intervals.
    pub(super) fn missed(&mut self, at: Timestamp, options: &AgainOptions) {
        self.visits = self.visits.saturating_add(1);
        self.visited = self.visited.max(at);
        if self.gone == 0 {
            (self.changes, self.changed) = (self.changes.saturating_add(1), at);
        }
        self.gone = self.gone.saturating_add(1);
        self.arrived = None;
        let rest = options.shortest * 3u32.pow(u32::from(self.gone.min(GONE)) - 1);
        let is_over = self.gone >= GONE;
        self.due = (!is_over).then(|| self.visited.plus(rest.min(options.longest)));
    }

    /// Takes over what the visits have taught, but not what the page says: that was read anew.
    pub(super) fn with_visits_of(self, other: &Self) -> Self {
        let Self { captured, arrived, text, likeness, .. } = self;
        let due = other.due.unwrap_or_else(|| other.visited.plus(other.interval()));
        let due = Some(due).filter(|_| other.gone < GONE);
        Self { captured, arrived, text, likeness, due, ..other.clone() }
    }

    /// Puts the next visit off, because this one came to nothing; the history stays.
    pub(super) fn put_off(&mut self, now: Timestamp) {
        self.due = Some(now.max(self.visited).plus(self.interval()));
    }

    /// Returns the time from the last visit to the next.
    pub(crate) fn interval(&self) -> Duration {
        Duration::from_secs(self.interval.into())
    }

    fn answered(&mut self, at: Timestamp, is_changed: bool, options: &AgainOptions) {
        self.watched.add(at.since(self.visited), is_changed);
        self.visits = self.visits.saturating_add(1);
        self.visited = self.visited.max(at);
        if is_changed {
            (self.changes, self.changed) = (self.changes.saturating_add(1), at);
        }
        self.gone = 0;
        let interval = self.watched.interval(self.interval(), is_changed);
        self.interval = seconds(options.bounded(interval));
        self.due = Some(self.visited.plus(self.interval()));
    }

    fn scheduled(mut self) -> Self {
        self.due = Some(self.visited.plus(self.interval()));
        self
    }
}

impl Watched {
    fn add(&mut self, time: Duration, is_changed: bool) {
        self.visits += 1;
        self.changes += u32::from(is_changed);
        self.seconds = self.seconds.saturating_add(time.as_secs());
        if self.visits > WATCHED {
            *self = Self {
                visits: self.visits / 2,
                changes: self.changes / 2,
                seconds: self.seconds / 2,
            };
        }
    }

    /// Returns the interval after `present`, moved by the last visit.
    fn interval(self, present: Duration, is_changed: bool) -> Duration {
        let wanted = self.between_changes().map(|mean| mean.div_f64(VISITS_PER_CHANGE));
        let (shortest, longest) = match is_changed {
            true => (present / 2, present),
            false => (present, present * 2),
        };
        wanted.map_or(longest, |wanted| wanted.clamp(shortest, longest))
    }

    /// Estimates the mean time between two changes; `None` if none was seen.
    fn between_changes(self) -> Option<Duration> {
        let (visits, changes) = (f64::from(self.visits), f64::from(self.changes));
        let per_visit = -((visits - changes + 0.5) / (visits + 0.5)).ln();
        let mean = self.seconds as f64 / visits;
        (per_visit > 0.0).then(|| Duration::try_from_secs_f64(mean / per_visit).ok())?
    }
}

impl Likeness {
    fn of(record: &PageRecord) -> Self {
        let sketch = Cut::of(&record.sketch).map(|cut| cut.as_bytes().to_vec());
        Self { sketch: sketch.unwrap_or_default(), words: words(record) }
    }

    /// Returns whether the texts are nearly the same: most of their runs of words are, or one
    /// word stands for another, as a counter or a date does (LNK-11).
    fn is_like(&self, other: &Self) -> bool {
        let cut = |likeness: &Self| Cut::from_bytes(&likeness.sketch).ok();
        if let (Some(one), Some(other)) = (cut(self), cut(other))
            && one.resemblance(&other) >= NEAR
        {
            return true;
        }
        let holds = |words: &[u16], word: &u16| words.binary_search(word).is_ok();
        let gone = self.words.iter().filter(|word| !holds(&other.words, word)).count();
        let come = other.words.iter().filter(|word| !holds(&self.words, word)).count();
        gone <= 1 && come <= 1 && gone < self.words.len() && come < other.words.len()
    }
}

/// Returns the hashes of the words of the main text, or of all of it if it is all navigation;
/// nothing if there are too many.
fn words(record: &PageRecord) -> Vec<u16> {
    let has_main = record.blocks.iter().any(|block| !block.zone.is_frame());
    let said = || record.blocks.iter().filter(|block| !block.zone.is_frame() || !has_main);
    if said().map(|block| block.text.len()).sum::<usize>() > TEXT_BYTES {
        return Vec::new();
    }
    let mut words = Vec::new();
    for block in said() {
        for word in block.text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
        {
            let hash = xxh3_64(word.to_lowercase().as_bytes()) as u16;
            if let Err(place) = words.binary_search(&hash) {
                words.insert(place, hash);
            }
            if words.len() > WORDS {
                return Vec::new();
            }
        }
    }
    words
}

fn payload(arrived: &Option<Arrived>) -> Option<u128> {
    arrived.as_ref().map(|arrived| arrived.payload)
}

fn seconds(time: Duration) -> u32 {
    u32::try_from(time.as_secs()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use base::{Block, PageId, Url, Zone};

    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 3600);

    fn options() -> AgainOptions {
        AgainOptions { first: Some(DAY * 30), ..AgainOptions::default() }
    }

    fn page(day: u32, text: &str) -> PageRecord {
        let url = Url::parse("http://a.example/").unwrap();
        let id = PageId::new(0, 1).unwrap();
        let at = Timestamp::default().plus(DAY * day);
        let blocks = vec![Block { zone: Zone::Body, text: text.to_owned() }];
        let prints = parse::fingerprint::Prints::of(&blocks);
        PageRecord {
            blocks,
            text_hash: prints.hash,
            sketch: prints.sketch,
            ..PageRecord::new(id, url, at, 200)
        }
    }

    fn at(day: u32) -> Timestamp {
        Timestamp::default().plus(DAY * day)
    }

    /// Returns the days between visits to a page whose text at a visit `text` gives.
    fn days(visits: u32, text: impl Fn(u32) -> String) -> Vec<u64> {
        let mut history = History::first(&page(0, &text(0)), None, &options());
        let mut days = vec![history.interval().as_secs() / DAY.as_secs()];
        for visit in 1..=visits {
            let due = history.due.unwrap();
            let record = PageRecord { fetched: due, ..page(0, &text(visit)) };
            history.read_again(&record, None, false, &options());
            days.push(history.interval().as_secs() / DAY.as_secs());
        }
        days
    }

    #[test]
    fn a_page_that_never_changes_is_asked_for_ever_more_rarely_but_once_a_year() {
        assert_eq!(days(6, |_| "always the same".to_owned()), [30, 60, 120, 240, 365, 365, 365]);
    }

    #[test]
    fn a_page_that_always_changes_is_asked_for_more_often_but_not_more_than_daily() {
        let found = days(12, |visit| format!("news{visit} of{visit} the{visit} day{visit}"));
        assert!(found.is_sorted_by(|before, after| before >= after), "{found:?}");
        assert_eq!((found[1], found[12]), (15, 1));
    }

    #[test]
    fn the_estimate_finds_the_pace_of_a_page() {
        // Changes every 40 days: two visits in that time are wanted.
        let mut history = History::first(&page(0, "a0 b0 c0"), None, &options());
        let mut intervals = Vec::new();
        for _ in 0..40 {
            let due = history.due.unwrap();
            let version = due.as_millis() / (40 * 24 * 3600 * 1000);
            let text = format!("a{version} b{version} c{version}");
            let record = PageRecord { fetched: due, ..page(0, &text) };
            history.read_again(&record, None, false, &options());
            intervals.push(history.interval().as_secs_f64() / DAY.as_secs_f64());
        }
        let mean = intervals[20..].iter().sum::<f64>() / 20.0;
        assert!((12.0..35.0).contains(&mean), "{intervals:?}");
    }

    #[test]
    fn lnk_11_one_word_that_changes_at_each_visit_is_no_change() {
        for words in [3, 20, 60, 150, 400, 3000] {
            let text = |visit: u32| {
                let words: Vec<String> = (0..words).map(|n| format!("word{n}")).collect();
                format!("{} visitor {visit}", words.join(" "))
            };
            let found = days(5, text);
            assert!(found.is_sorted() && found[5] == 365, "{words} words: {found:?}");
        }
        // Two words of three are a change.
        let found = days(3, |visit| format!("it is {visit} {}", visit * 7));
        assert!(found[3] < 30, "{found:?}");
    }

    #[test]
    fn a_page_that_is_gone_is_asked_for_a_few_times_more() {
        let mut history = History::first(&page(0, "a b"), None, &options());
        let mut days = Vec::new();
        let mut now = 30;
        while let Some(due) = {
            history.missed(at(now), &options());
            history.due
        } {
            days.push(due.since(at(now)).as_secs() / DAY.as_secs());
            now += 400;
        }
        assert_eq!(days, [1, 3, 9, 27]);
        assert_eq!((history.visits, history.changes), (6, 1));
        // Back again: that is a change, and the old pace goes on.
        let record = page(now, "a b");
        history.read_again(&record, None, false, &options());
        assert_eq!((history.changes, history.changed), (2, at(now)));
        assert!(history.due.is_some());
    }

    #[test]
    fn a_visit_that_came_to_nothing_teaches_nothing() {
        let mut history = History::first(&page(0, "a b"), None, &options());
        let before = history.clone();
        history.put_off(at(31));
        assert_eq!(history.due, Some(at(61)));
        assert_eq!(History { due: before.due, ..history }, before);
    }

    #[test]
    fn pages_that_name_new_ones_have_changed() {
        let mut history = History::first(&page(0, "a b"), None, &options());
        history.read_again(&page(30, "a b"), None, true, &options());
        assert_eq!((history.changes, history.interval()), (1, DAY * 15));
    }

    #[test]
    fn a_stored_history_comes_back_and_a_torn_one_does_not() {
        let arrived = Arrived { payload: 7, validators: Validators::default() };
        let history = History::first(&page(3, "some words"), Some(arrived), &options());
        let bytes = postcard::to_stdvec(&history).unwrap();
        assert_eq!(postcard::from_bytes::<History>(&bytes).unwrap(), history);
        for length in 0..bytes.len() {
            assert!(postcard::from_bytes::<History>(&bytes[..length]).is_err(), "{length}");
        }
    }
}
