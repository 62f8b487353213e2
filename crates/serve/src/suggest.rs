//! Queries that go on from what was typed, cheaply however fast they are asked for (WEB-23).
//!
//! A browser asks with every key. So suggestions have turns of their own and never take those of
//! searches; what many type is remembered for a minute; and browsers may keep an answer as long.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Limits;
use crate::gate::Turns;
use crate::params::clean;
use crate::problem::Problem;

/// Returns queries that go on from what was typed, best first, at most so many; blocks its thread.
pub type SuggestFn = Arc<dyn Fn(&str, usize) -> Vec<String> + Send + Sync>;

/// Suggestions when no number is given, and at most.
pub(crate) const DEFAULT_COUNT: usize = 8;
pub(crate) const MAX_COUNT: usize = 20;
/// Longest text that is completed, in bytes: who has typed more knows what to ask.
const TYPED_BYTES: usize = 100;
/// Suggestions waiting for their turn.
const WAITING: usize = 16;
/// Longest wait for suggestions: then the next key was pressed.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long an answer is remembered, in seconds; the index changes all the time.
pub(crate) const REMEMBERED_SECONDS: u64 = 60;
/// Answers remembered in one of two halves.
const HALF: usize = 512;

/// Stands between the visitors and whoever makes suggestions.
pub(crate) struct Suggester {
    suggest: Option<SuggestFn>,
    turns: Turns,
    remembered: Mutex<Remembered>,
}

type Answers = HashMap<String, (Instant, Arc<[String]>)>;

#[derive(Default)]
struct Remembered {
    young: Answers,
    old: Answers,
}

impl Suggester {
    /// Puts a function behind limits; without one there are no suggestions.
    pub(crate) fn new(suggest: Option<SuggestFn>, limits: &Limits) -> Self {
        let turns = Turns::new((limits.searches / 2).max(1), WAITING, PATIENCE);
        Self { suggest, turns, remembered: Mutex::default() }
    }

    /// Returns what goes on from a text, best first.
    pub(crate) async fn suggest(&self, typed: &str, most: usize) -> Result<Vec<String>, Problem> {
        let typed = clean(typed);
        let Some(suggest) = self.suggest.clone() else { return Ok(Vec::new()) };
        if typed.is_empty() || typed.len() > TYPED_BYTES {
            return Ok(Vec::new());
        }
        let now = Instant::now();
        let known = self.lock().get(&typed, now);
        let found = match known {
            Some(found) => found,
            None => {
                let asked = typed.clone();
                let found = self.turns.run(move || suggest(&asked, MAX_COUNT)).await?;
                let found: Arc<[String]> = found.into_iter().take(MAX_COUNT).collect();
                self.lock().put(typed, now, found.clone());
                found
            }
        };
        Ok(found.iter().take(most).cloned().collect())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Remembered> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Remembered {
    fn get(&self, typed: &str, now: Instant) -> Option<Arc<[String]>> {
        let (at, found) = self.young.get(typed).or_else(|| self.old.get(typed))?;
        let age = now.saturating_duration_since(*at);
        (age < Duration::from_secs(REMEMBERED_SECONDS)).then(|| found.clone())
    }

    fn put(&mut self, typed: String, now: Instant, found: Arc<[String]>) {
        if self.young.len() >= HALF {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(typed, (now, found));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn counted(limits: &Limits) -> (Suggester, Arc<AtomicUsize>) {
        let calls = Arc::new(AtomicUsize::new(0));
        let counter = calls.clone();
        let suggest: SuggestFn = Arc::new(move |typed, most| {
            counter.fetch_add(1, Ordering::SeqCst);
            (0..most).map(|number| format!("{typed} {number}")).collect()
        });
        (Suggester::new(Some(suggest), limits), calls)
    }

    #[tokio::test]
    async fn web_23_what_many_type_is_looked_for_once() {
        let (suggester, calls) = counted(&Limits::default());
        for most in [3, 8, 20] {
            let found = suggester.suggest("  jag ", most).await.unwrap();
            assert_eq!((found.len(), found[0].as_str()), (most, "jag 0"));
        }
        assert_eq!(calls.load(Ordering::SeqCst), 1);
        assert!(suggester.suggest("", 8).await.unwrap().is_empty());
        assert!(suggester.suggest(&"a".repeat(101), 8).await.unwrap().is_empty());
        assert_eq!(calls.load(Ordering::SeqCst), 1, "nobody completes these");
    }

    #[tokio::test]
    async fn web_23_what_is_remembered_is_bounded() {
        let (suggester, calls) = counted(&Limits::default());
        for number in 0..3 * HALF {
            suggester.suggest(&format!("word{number}"), 1).await.unwrap();
        }
        assert_eq!(calls.load(Ordering::SeqCst), 3 * HALF);
        let remembered = suggester.lock();
        assert!(remembered.young.len() <= HALF && remembered.old.len() <= HALF);
        let late = Instant::now() + Duration::from_secs(REMEMBERED_SECONDS + 1);
        let last = format!("word{}", 3 * HALF - 1);
        assert!(remembered.get(&last, Instant::now()).is_some());
        assert!(remembered.get(&last, late).is_none(), "the index has changed since");
    }
}
