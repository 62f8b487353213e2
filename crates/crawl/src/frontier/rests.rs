//! Rests that a wrong clock has made too long (STO-14).

use base::{Host, Timestamp};

use super::turns::{after_rest, host_of_turn};
use super::{Frontier, FrontierError};

/// Hosts whose rest is made shorter in one step.
const STEP: usize = 1_000;

impl Frontier {
    /// Lets hosts that would rest beyond `latest` rest until `end`; returns how many those are.
    ///
    /// Rests are kept by the time of day. If that was wrong when one began, years may lie between
    /// now and its end. Cost: linear in their number.
    pub(crate) fn shorten_rests(
        &self,
        latest: Timestamp,
        end: Timestamp,
    ) -> Result<usize, FrontierError> {
        let (mut num_shortened, mut from) = (0, after_rest(latest));
        loop {
            let mut hosts: Vec<Host> = Vec::new();
            for guard in self.turns.range(from.clone()..).take(STEP) {
                let (key, host) = host_of_turn(guard)?;
                // What is left of a turn that its host does not know of is not met twice.
                from = [&key[..], &[0]].concat();
                hosts.push(host);
            }
            if hosts.is_empty() {
                return Ok(num_shortened);
            }
            num_shortened += hosts.len();
            let mut update = self.update();
            for host in hosts {
                let errors = self.host(&host)?.map_or(0, |state| state.errors);
                update.rest(&host, end, errors, None)?;
            }
            update.commit()?;
        }
    }
}
