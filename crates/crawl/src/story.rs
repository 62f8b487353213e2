//! Everything that is known of one URL, for `lookfar why`.
//!
//! Gathered from the frontier (standing, queue, host), the rules in force now (scope, block list,
//! robots.txt) and the page log (where the response lies, what it repeats).

mod doubts;

use std::fmt;
use std::time::Duration;

use base::log::Position;
use base::{Capture, Collection, Oddity, PageRecord, Rules, Timestamp, Url, pages};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use self::doubts::{Doubt, Doubts, HiddenText};

use crate::frontier::{
    ALIAS, FRUITLESS, Frontier, HostState, Lane, MANY_HOSTS, Role, SoftMissing, Standing, UrlState,
};
use crate::learn::Advice;
use crate::politeness::Politeness;
use crate::robots::Robots;
use crate::{Error, HostCounts, HostRule, LeftOut, Options};

/// What we know of one URL.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Story {
    /// The URL as it was asked for.
    pub asked: String,
    /// Its canonical form, under which everything is kept.
    pub url: Url,
    /// What made the one the other.
    pub changes: Vec<String>,
    /// Where it stands.
    pub standing: Fate,
    /// How we came to know it; `None` if we do not.
    pub discovered: Option<Discovery>,
    /// Whether the scope lets it in now.
    pub scope: Judgement,
    /// What its host has taught that speaks against it; `None` if nothing does.
    #[serde(default)]
    pub learnt: Option<LessonStory>,
    /// The line of `blocked.txt` that keeps it out.
    pub blocked: Option<String>,
    /// What its robots.txt says.
    pub robots: RobotsStory,
    /// The host it lies on.
    pub host: HostStory,
    /// What the last response was; `None` if there is none.
    pub response: Option<ResponseStory>,
    /// What visits have taught; `None` if the page was never there.
    pub visits: Option<VisitsStory>,
}

/// Where a URL stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum Fate {
    /// No page named it, and it is no seed.
    NeverSeen,
    /// In its host's queue.
    Waiting {
        /// URLs of the host that come first.
        before: u64,
        /// Number of the front queue, from 0 (first) to 15.
        class: usize,
        /// Tries that failed so far.
        tries: u8,
    },
    /// A response is in the archive.
    Fetched {
        /// When it arrived.
        at: Moment,
        /// HTTP status.
        status: u16,
    },
    /// Tried as often as allowed.
    GivenUp {
        /// Why the last try failed.
        reason: String,
        /// Tries.
        tries: u8,
    },
    /// robots.txt forbade it when its turn came.
    Forbidden,
    /// It was wanted when it was found, but no longer when its turn came.
    LeftOut {
        /// Name of the rule.
        reason: String,
    },
    /// Taken out on request.
    Forgotten,
}

/// How a URL became known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discovery {
    /// When.
    pub at: Moment,
    /// The page that named it first; `None` for seeds, and if that page is not known any more.
    pub from: Option<Url>,
    /// Whether a page named it at all.
    pub is_seed: bool,
    /// Links from the nearest seed.
    pub depth: u16,
    /// Redirects followed in a row to get there.
    pub hops: u8,
}

/// What the scope says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Whether it belongs to the collection.
    pub is_in: bool,
    /// Name of the rule that leaves it out.
    pub reason: Option<String>,
    /// The same in a sentence.
    pub because: Option<String>,
}

/// What the pages of a host have taught about an address that is not fetched (C9, C14).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LessonStory {
    /// Name of the rule.
    pub reason: String,
    /// The same in a sentence.
    pub because: String,
    /// The address that is fetched in its place, if one is.
    pub instead: Option<Url>,
}

/// What robots.txt says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RobotsStory {
    /// `Some(true)`: allowed; `Some(false)`: forbidden; `None`: no copy has been read yet.
    pub is_allowed: Option<bool>,
    /// When the copy was read.
    pub read: Option<Moment>,
    /// Age of the copy in seconds.
    pub age_seconds: Option<u64>,
    /// Seconds between two requests that it asks for; 0 for no wish.
    pub crawl_delay_seconds: u64,
    /// Which line decides, and how old the copy is.
    pub because: Option<String>,
}

/// What we know of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostStory {
    /// Its name.
    pub name: String,
    /// URLs of it that we know.
    pub known: u64,
    /// Of these, how many wait.
    pub waiting: u64,
    /// Milliseconds until it may be visited again; `None` if it does not rest.
    pub rests_millis: Option<u64>,
    /// Responses of any status.
    pub responses: u64,
    /// Responses that told something new.
    pub useful: u64,
    /// Responses that were copies, empty or the same for every address.
    pub wasted: u64,
    /// Whether it has used up what it may take for now: its URLs wait until it proves its worth.
    pub is_exhausted: bool,
    /// Errors in a row.
    pub errors: u32,
    /// What the last error was.
    pub failure: Option<String>,
    /// Another host whose pages it repeats.
    pub mirror_of: Option<String>,
    /// Another host that it looks like: its URLs wait until it, or one that looks the same, has
    /// been read on.
    pub suspected_of: Option<String>,
    /// When a page of it is read next, if it waits as a mirror or as a suspect.
    pub looked_at: Option<Moment>,
    /// Whether it answers 200 for addresses that it does not have.
    pub is_soft_missing: bool,
    /// What a person has decided about it; nothing if nobody has.
    #[serde(default)]
    pub rule: HostRule,
}

/// What the last response was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponseStory {
    /// When it arrived.
    pub at: Moment,
    /// HTTP status.
    pub status: u16,
    /// Where it lies in the archive; `None` if it was taken out.
    pub capture: Option<Capture>,
    /// Where it sends its visitors.
    pub redirect: Option<Url>,
    /// Whether that is not followed, since it is one redirect too many in a row (RED-02).
    #[serde(default)]
    pub is_last_hop: bool,
    /// Whether its text can be searched, if it has any.
    pub is_searchable: bool,
    /// The page that it repeats.
    pub copy_of: Option<Url>,
    /// How much of its text it shares with that page, in hundredths, if it is not equal but a
    /// near duplicate.
    pub near_percent: Option<u8>,
    /// What was strange about it.
    pub oddities: Vec<String>,
    /// What speaks against it: term spam, hidden text.
    pub doubts: Doubts,
}

/// How often a page was visited, and how often it changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisitsStory {
    /// Answers so far.
    pub visits: u32,
    /// Of these, how many brought another page than the one before.
    pub changes: u32,
    /// When the last answer came.
    pub last: Moment,
    /// When it was last found changed, or first found.
    pub last_change: Moment,
    /// Seconds from one visit to the next, as things are.
    pub interval_seconds: u64,
    /// When it is to be fetched again; `None` if never, or if it waits for that now.
    pub due: Option<Moment>,
    /// Whether it waits in its host's queue to be fetched again.
    pub waits: bool,
}

/// A moment, written as people and other programs read it: `2026-11-16T09:30:00Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment(pub Timestamp);

impl fmt::Display for Moment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.rfc3339())
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let moment = Timestamp::parse_rfc3339(&text).map(Self);
        moment.ok_or_else(|| <D::Error as serde::de::Error>::custom("not an RFC 3339 date"))
    }
}

/// Where the answers are.
pub(crate) struct Sources<'a> {
    pub(crate) collection: &'a Collection,
    pub(crate) options: &'a Options,
    pub(crate) frontier: &'a Frontier,
    pub(crate) politeness: &'a Politeness,
}

/// Gathers what is known of a URL.
pub(crate) fn tell(asked: &str, sources: &Sources<'_>) -> Result<Story, Error> {
    let Sources { options, frontier, .. } = sources;
    let asked = asked.trim();
    let rules = options.url_rules;
    let url = Url::parse_with(asked, rules)
        .map_err(|source| Error::NotAUrl { text: shortened(asked), source })?;
    let state = frontier.url(&url)?;
    let host = url.host();
    let is_last_hop = state.as_ref().is_some_and(|state| state.hops >= state.role.most_hops());
    let known = frontier.host(&host)?.unwrap_or_else(|| HostState::new(host));
    Ok(Story {
        changes: changes(asked, &url, rules),
        standing: sources.fate(&url, state.as_ref())?,
        discovered: state.as_ref().map(|state| sources.discovery(state)).transpose()?,
        scope: sources.judge(&url, state.as_ref(), &known)?,
        learnt: sources.learnt(&url, state.as_ref(), &known)?,
        blocked: options.blocked.which(&url),
        robots: sources.robots(&url)?,
        host: sources.host(&known),
        visits: sources.visits(&url, state.as_ref())?,
        response: match state.map(|state| state.standing) {
            Some(Standing::Fetched { record, .. }) => sources.response(record, is_last_hop)?,
            _ => None,
        },
        asked: asked.to_owned(),
        url,
    })
}

impl Sources<'_> {
    fn fate(&self, url: &Url, state: Option<&UrlState>) -> Result<Fate, Error> {
        let Some(state) = state else { return Ok(Fate::NeverSeen) };
        let tries = state.tries;
        Ok(match &state.standing {
            Standing::Waiting { place } => {
                let before = self.frontier.num_before((&url.host(), Lane::New), *place)?;
                Fate::Waiting { before, class: place.class.index(), tries }
            }
            Standing::Fetched { status, at, .. } => {
                Fate::Fetched { at: Moment(*at), status: *status }
            }
            Standing::GivenUp { failure } => {
                Fate::GivenUp { reason: failure.name().to_owned(), tries }
            }
            Standing::LeftOut { reason } => Fate::LeftOut { reason: reason.clone() },
            Standing::Forbidden => Fate::Forbidden,
            Standing::Forgotten => Fate::Forgotten,
        })
    }

    /// Judges a URL as it is judged when it is found, or when its turn comes if it is known.
    fn judge(
        &self,
        url: &Url,
        state: Option<&UrlState>,
        host: &HostState,
    ) -> Result<Judgement, Error> {
        let Options { blocked, host_rules, .. } = self.options;
        let scope = self.options.scope_now();
        let is_listing = state.is_some_and(|state| matches!(state.role, Role::Sitemap { .. }));
        let site = self.frontier.site(&host.host.site())?;
        let counts = match state.map(|state| &state.standing) {
            None => HostCounts::around_new(host, &site),
            // A page that is there is not one more of its host.
            Some(Standing::Fetched { .. }) => HostCounts::default(),
            Some(_) => {
                HostCounts { pages: host.responses, bytes: host.bytes, ..HostCounts::default() }
            }
        };
        // One that no page named is judged as if the next page named it.
        let depth = state.map_or(1, |state| state.depth);
        let judged = match is_listing {
            true => scope.judge_listing(url),
            false => scope.judge(url, depth, &counts),
        };
        let (reason, because) = if let Some(line) = blocked.which(url) {
            (LeftOut::Blocked.name(), format!("`blocked.txt` says `{line}`"))
        } else if host_rules.blocks(url) {
            let because = "`hosts.txt` says that its host is blocked";
            (LeftOut::Blocked.name(), because.to_owned())
        } else if let Err(reason) = judged {
            let because = scope.explain(url, depth, &counts).filter(|_| !is_listing);
            (reason.name(), because.unwrap_or_else(|| reason.sentence().to_owned()))
        } else if host.known == 0 && !site.has_room_for_a_host() {
            let because = format!(
                "its site has {} hosts, as many as {} useful pages have earned it",
                site.hosts, site.useful
            );
            (MANY_HOSTS, because)
        } else {
            return Ok(Judgement { is_in: true, reason: None, because: None });
        };
        Ok(Judgement { is_in: false, reason: Some(reason.to_owned()), because: Some(because) })
    }

    /// Returns what the lessons of its host say against a page that has not been fetched.
    fn learnt(
        &self,
        url: &Url,
        state: Option<&UrlState>,
        host: &HostState,
    ) -> Result<Option<LessonStory>, Error> {
        let is_asked = state.is_none_or(|state| {
            state.role == Role::Page && matches!(state.standing, Standing::Waiting { .. })
        });
        if !is_asked {
            return Ok(None);
        }
        Ok(match self.frontier.advice(url, self.options)? {
            Advice::Skip(shape) => Some(LessonStory {
                reason: FRUITLESS.to_owned(),
                because: format!(
                    "{} pages like `{}` were fetched, and of late they told nothing new",
                    shape.fetched, shape.shape
                ),
                instead: None,
            }),
            // One that waits gives way only to one that is known.
            Advice::Instead(other)
                if host.believes(url, &other)
                    && (state.is_none() || self.frontier.url(&other)?.is_some()) =>
            {
                Some(LessonStory {
                    reason: ALIAS.to_owned(),
                    because: format!("its host has shown that it is the same page as {other}"),
                    instead: Some(other),
                })
            }
            _ => None,
        })
    }

    fn visits(&self, url: &Url, state: Option<&UrlState>) -> Result<Option<VisitsStory>, Error> {
        let is_on = self.options.again.first.is_some();
        let story = self.frontier.history(url)?.map(|history| VisitsStory {
            visits: history.visits,
            changes: history.changes,
            last: Moment(history.visited),
            last_change: Moment(history.changed),
            interval_seconds: history.interval().as_secs(),
            due: history.due.filter(|_| is_on).map(Moment),
            waits: state.is_some_and(|state| state.again.is_some()),
        });
        Ok(story)
    }

    fn discovery(&self, state: &UrlState) -> Result<Discovery, Error> {
        Ok(Discovery {
            at: Moment(state.discovered),
            from: state.from.map(|page| self.frontier.url_of(page)).transpose()?.flatten(),
            is_seed: state.from.is_none() && state.depth == 0,
            depth: state.depth,
            hops: state.hops,
        })
    }

    fn robots(&self, url: &Url) -> Result<RobotsStory, Error> {
        let Some(copy) = self.frontier.robots(url.origin())? else {
            return Ok(RobotsStory {
                is_allowed: None,
                read: None,
                age_seconds: None,
                crawl_delay_seconds: 0,
                because: None,
            });
        };
        let token = &self.options.agent.token;
        let rules = Robots::parse(&copy.body, token);
        let now = (self.options.clock)();
        Ok(RobotsStory {
            is_allowed: Some(rules.allows(url.path_and_query())),
            read: Some(Moment(copy.at)),
            age_seconds: Some(now.since(copy.at).as_secs()),
            crawl_delay_seconds: rules.asked_delay().map_or(0, |delay| delay.as_secs()),
            because: Some(copy.explain(url, token, now)),
        })
    }

    fn host(&self, state: &HostState) -> HostStory {
        let host = &state.host;
        let rests = Some(self.rest_of(host, state)).filter(|rest| *rest > Duration::ZERO);
        let mirror = state.mirror.as_ref().filter(|mirror| mirror.is_likely());
        let suspect = state
            .mirror
            .as_ref()
            .filter(|suspect| suspect.hold.is_suspect() && !suspect.is_likely());
        HostStory {
            rule: self.options.host_rules.of(host),
            name: host.to_string(),
            known: state.known,
            waiting: state.waiting,
            rests_millis: rests.map(|rest| u64::try_from(rest.as_millis()).unwrap_or(u64::MAX)),
            responses: state.responses,
            useful: state.useful,
            wasted: state.wasted,
            is_exhausted: state.is_exhausted(),
            errors: state.errors,
            failure: state.failure.map(|failure| failure.name().to_owned()),
            is_soft_missing: matches!(state.soft, SoftMissing::Soft { .. }),
            looked_at: state.looked_at().map(Moment),
            suspected_of: suspect.map(|mirror| mirror.of.to_string()),
            mirror_of: mirror.map(|mirror| mirror.of.to_string()),
        }
    }

    /// Returns whether a search may find a page by its text: as the index judges it, now.
    fn is_searchable(&self, record: &PageRecord) -> bool {
        let is_over = record.until.is_some_and(|until| until <= (self.options.clock)());
        record.is_searchable() && !is_over && !record.oddities.contains(&Oddity::SoftMissing)
    }

    fn response(&self, place: Position, is_last_hop: bool) -> Result<Option<ResponseStory>, Error> {
        let mut reader = pages::Reader::open(&self.collection.pages(), place)?;
        let Some(entry) = reader.next_entry()? else { return Ok(None) };
        let record = entry.record;
        let copy_of = record.copy_of.map(|page| self.frontier.url_of(page)).transpose()?.flatten();
        let near_percent = self.frontier.resemblance(&record)?;
        let is_gone = record.is_forgotten();
        Ok(Some(ResponseStory {
            at: Moment(record.fetched),
            status: record.status,
            capture: (!is_gone).then_some(record.capture),
            is_searchable: self.is_searchable(&record),
            doubts: if is_gone { Doubts::default() } else { Doubts::of(&record) },
            is_last_hop: record.redirect.is_some() && is_last_hop,
            redirect: record.redirect,
            copy_of,
            near_percent,
            oddities: record.oddities.iter().map(|oddity| format!("{oddity:?}")).collect(),
        }))
    }
}

/// Says what was done to a text to make it canonical.
fn changes(asked: &str, url: &Url, rules: Rules) -> Vec<String> {
    if asked == url.as_str() {
        return Vec::new();
    }
    let differs = |rules| Url::parse_with(asked, rules).is_ok_and(|other| other != *url);
    let marks = [
        (asked.contains('#'), "the fragment was dropped"),
        (
            differs(Rules { drop_tracking: false, ..rules }),
            "parameters that only track visitors were dropped",
        ),
        (differs(Rules { drop_sessions: false, ..rules }), "a session's mark was dropped"),
        (
            differs(Rules { drop_default_documents: false, ..rules }),
            "the name of the folder's default page was dropped",
        ),
    ];
    let changes: Vec<String> =
        marks.iter().filter(|(is_so, _)| *is_so).map(|(_, what)| (*what).to_owned()).collect();
    match changes.is_empty() {
        true => vec!["case, port, dots, order or encodings became standard".to_owned()],
        false => changes,
    }
}

/// A text for an error message: one line, not too long.
fn shortened(text: &str) -> String {
    const CHARS: usize = 200;
    text.chars().filter(|c| !c.is_control()).take(CHARS).collect()
}
