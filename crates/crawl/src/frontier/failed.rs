//! URLs whose turn came and that were not fetched: tried again, given up, forbidden, left out.
//!
//! A page that is there already and was to be fetched again stays what it is: an error is not its
//! fault and teaches nothing about it (C15).

use base::Url;
use base::log::Position;

use super::update::Update;
use super::{Class, FrontierError, Place, Standing, UrlState};
use crate::Failure;

impl Update<'_> {
    /// Notes that a URL could not be fetched; it is tried again later or given up.
    pub(crate) fn fail(
        &mut self,
        url: &Url,
        failure: Failure,
        tries_per_url: u8,
    ) -> Result<(), FrontierError> {
        self.count(failure.name());
        let Some(state) = self.remembered(url)? else { return Ok(()) };
        let tries = match failure {
            // A host stays closed, not given up, until its robots.txt can be read (R43).
            Failure::RobotsUnreachable => u8::MAX,
            failure if failure.is_passing() => tries_per_url,
            _ => 0,
        };
        self.retry(url, state, failure, tries, Position::START)
    }

    /// Notes that robots.txt forbids a URL.
    pub(crate) fn forbid(&mut self, url: &Url) -> Result<(), FrontierError> {
        self.count("robots");
        self.turn_down(url, Standing::Forbidden)
    }

    /// Notes that a URL is not wanted any more.
    pub(crate) fn leave_out(&mut self, url: &Url, reason: &str) -> Result<(), FrontierError> {
        self.count(reason);
        self.turn_down(url, Standing::LeftOut { reason: reason.to_owned() })
    }

    fn turn_down(&mut self, url: &Url, standing: Standing) -> Result<(), FrontierError> {
        match self.remembered(url)? {
            None => Ok(()),
            Some(state) if state.again.is_some() => self.put_off(url, state),
            Some(state) => self.stand(url, state, standing),
        }
    }

    pub(super) fn retry(
        &mut self,
        url: &Url,
        mut state: UrlState,
        failure: Failure,
        tries_per_url: u8,
        found: Position,
    ) -> Result<(), FrontierError> {
        // Waiting for a robots.txt is not the page's fault.
        if failure != Failure::RobotsUnreachable {
            state.tries = state.tries.saturating_add(1);
        }
        let is_over = state.tries >= tries_per_url;
        let later = Place { class: Class::AGAIN, order: state.tries.into(), found, number: 0 };
        if let Some(place) = &mut state.again {
            (place.class, place.order) = (later.class, later.order);
            let standing = state.standing.clone();
            return match is_over {
                true => self.put_off(url, state),
                false => self.stand(url, state, standing),
            };
        }
        if is_over {
            return self.stand(url, state, Standing::GivenUp { failure });
        }
        let place = match state.standing {
            Standing::Waiting { place } => {
                Place { class: later.class, order: later.order, ..place }
            }
            _ => later,
        };
        self.stand(url, state, Standing::Waiting { place })
    }
}
