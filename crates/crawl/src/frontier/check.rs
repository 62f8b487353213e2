//! Whether the frontier's keyspaces tell the same story.

use std::collections::HashMap;

use base::{Host, Url};

use super::{Frontier, FrontierError, HostState, Lane, Queued, UrlState, decode, queue_key};

impl Frontier {
    /// Verifies queue, turns, hosts and counts against the URLs; returns what does not fit.
    ///
    /// Cost: reads everything; memory grows with the number of hosts.
    pub(crate) fn check(&self) -> Result<Vec<String>, FrontierError> {
        let mut problems = Vec::new();
        let mut waiting: HashMap<Host, (u64, u64)> = HashMap::new();
        let (mut num_waiting, mut known) = (0, 0);
        for guard in self.urls.iter() {
            let (key, value) = guard.into_inner()?;
            let state: UrlState = decode(&value, "urls")?;
            known += 1;
            let Some(url) = std::str::from_utf8(&key).ok().and_then(Url::from_surt) else {
                problems.push(format!("key {key:?} is no URL"));
                continue;
            };
            if let Some(page) = state.page
                && self.url_of(page)?.as_ref() != Some(&url)
            {
                problems.push(format!("page {page} is not `{url}`"));
            }
            let Some((lane, place)) = state.queued() else { continue };
            num_waiting += 1;
            let (all, again) = waiting.entry(url.host()).or_default();
            *all += 1;
            *again += u64::from(lane == Lane::Again);
            let queued = self.lane(lane).get(queue_key(&url.host(), place))?;
            let queued: Option<Queued> = queued.map(|value| decode(&value, "queue")).transpose()?;
            if queued.is_none_or(|queued| queued.url != url) {
                problems.push(format!("`{url}` waits, but is not in its queue"));
            }
        }
        let queued = (self.queue.len()? + self.again.len()?) as u64;
        let totals = self.totals();
        for (what, counted, said) in [
            ("queue entries", queued, num_waiting),
            ("waiting URLs", num_waiting, totals.waiting),
            ("known URLs", known, totals.known),
            ("URLs in front queues", self.census().waiting.iter().sum(), totals.waiting),
        ] {
            if counted != said {
                problems.push(format!("{counted} {what}, but {said} expected"));
            }
        }
        self.check_hosts(&waiting, &mut problems)?;
        self.check_near(&mut problems)?;
        self.check_visits(&mut problems)?;
        self.check_suspects(&mut problems)?;
        Ok(problems)
    }

    fn check_hosts(
        &self,
        waiting: &HashMap<Host, (u64, u64)>,
        problems: &mut Vec<String>,
    ) -> Result<(), FrontierError> {
        let mut turns = 0;
        for guard in self.hosts.iter() {
            let (_, value) = guard.into_inner()?;
            let state: HostState = decode(&value, "hosts")?;
            let host = &state.host;
            let (counted, again) = waiting.get(host).copied().unwrap_or_default();
            if (counted, again) != (state.waiting, state.again) {
                let said = (state.waiting, state.again);
                problems
                    .push(format!("{counted} URLs of `{host}` wait, {again} again, not {said:?}"));
            }
            let has_turn = match state.turn {
                None => false,
                Some(turn) => {
                    turns += 1;
                    let found = self.turns.get(turn.key(host))?;
                    found.map(|value| decode::<Host>(&value, "turns")).transpose()?.as_ref()
                        == Some(host)
                }
            };
            let is_to_come = state.is_slowed() || !state.is_exhausted();
            if (state.waiting > 0 && is_to_come) != has_turn {
                problems.push(format!("`{host}` has {counted} waiting URLs and a wrong turn"));
            }
        }
        let listed = self.turns.len()?;
        if listed != turns {
            problems.push(format!("{listed} turns, but {turns} hosts have one"));
        }
        Ok(())
    }
}
