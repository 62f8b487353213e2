//! Who may enter the control room, and who may change something there (WEB-21).
//!
//! - Without a token it is open to this machine alone, and only if nothing says that strangers come
//!   through it: a forwarding header, a public address of the page in the configuration, or a
//!   `Host` that is no name of this machine (a stranger's name that was made to point here).
//! - With a token everybody needs it, this machine too: behind a proxy that hides for whom it asks,
//!   all come from here. It is given once, at `/admin/login`, for a cookie that is not the token;
//!   or with each request as `Authorization: Bearer`.
//! - A change must come from a page of ours: `Sec-Fetch-Site`, or where a browser does not send it
//!   `Origin`, must say so. Programs that bring the token itself are asked for neither.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, COOKIE, HeaderName, HeaderValue};

use super::room::Token;
use crate::listen::Peer;
use crate::nearby::is_for_this_machine;
use crate::origin;
use crate::secret::{from_hex, hex, is_equal, random};

/// How long a login lasts.
const SESSION: Duration = Duration::from_secs(12 * 3600);
/// Logins at once; the oldest gives way.
const SESSIONS: usize = 64;
/// Name of the cookie.
const COOKIE_NAME: &str = "lookfar_admin";
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// The rules of one server.
pub(crate) struct Access {
    token: Option<Token>,
    /// The name of its own under which the page is meant to be reached.
    url: Option<String>,
    sessions: Mutex<Vec<Session>>,
}

struct Session {
    id: [u8; 32],
    until: Instant,
}

/// Who was let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Somebody on this machine.
    Here,
    /// Somebody who has logged in.
    Session,
    /// A program that brings the token.
    Bearer,
}

/// Why somebody was not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Denied {
    /// There is nothing here for them.
    Closed,
    /// A token would help.
    Login,
    /// A token was brought, and it is not ours.
    WrongToken,
    /// It comes from another site.
    CrossSite,
}

impl Access {
    /// `url` is the public address of the page, if it has one.
    pub(crate) fn new(token: Option<Token>, url: Option<&str>) -> Self {
        Self { token, url: url.map(str::to_owned), sessions: Mutex::default() }
    }

    /// Returns whether there is a token to log in with.
    pub(crate) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Says who asks, if they may.
    pub(crate) fn admit(&self, peer: Peer, headers: &HeaderMap) -> Result<Who, Denied> {
        let Some(token) = &self.token else {
            let is_public = self.url.is_some();
            let is_here = !is_public && peer.is_here(headers) && is_for_this_machine(headers);
            return match is_here {
                true if is_foreign(headers) => Err(Denied::CrossSite),
                true => Ok(Who::Here),
                false => Err(Denied::Closed),
            };
        };
        if let Some(given) = bearer(headers) {
            return match is_equal(given.as_bytes(), token.as_bytes()) {
                true => Ok(Who::Bearer),
                false => Err(Denied::WrongToken),
            };
        }
        match cookie(headers).is_some_and(|id| self.knows(&id)) {
            true if is_foreign(headers) => Err(Denied::CrossSite),
            true => Ok(Who::Session),
            false => Err(Denied::Login),
        }
    }

    /// Says whether this may be a change that somebody wants, and not one that another site made
    /// their browser ask for.
    pub(crate) fn may_change(&self, who: Option<Who>, headers: &HeaderMap) -> Result<(), Denied> {
        let is_ours = who == Some(Who::Bearer) || origin::is_ours(headers, self.url.as_deref());
        if is_ours { Ok(()) } else { Err(Denied::CrossSite) }
    }

    /// Takes a token; returns the cookie to set if it is the right one.
    pub(crate) fn log_in(&self, given: &str) -> Option<HeaderValue> {
        let token = self.token.as_ref()?;
        if !is_equal(given.trim().as_bytes(), token.as_bytes()) {
            return None;
        }
        // A machine without random numbers lets nobody in.
        let id = random()?;
        let mut sessions = self.sessions();
        let now = Instant::now();
        sessions.retain(|session| session.until > now);
        if sessions.len() >= SESSIONS {
            sessions.remove(0);
        }
        sessions.push(Session { id, until: now + SESSION });
        drop(sessions);
        self.set_cookie(&hex(&id), SESSION.as_secs())
    }

    /// Ends the login that a request brings; returns the cookie to set.
    pub(crate) fn log_out(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        if let Some(id) = cookie(headers) {
            self.sessions().retain(|session| !is_equal(&session.id, &id));
        }
        self.set_cookie("", 0)
    }

    fn set_cookie(&self, value: &str, seconds: u64) -> Option<HeaderValue> {
        // Where the page is reached over TLS, the cookie goes no other way.
        let is_secure = self.url.as_ref().is_some_and(|url| url.starts_with("https:"));
        let secure = if is_secure { "; Secure" } else { "" };
        let text = format!(
            "{COOKIE_NAME}={value}; Path=/admin; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
        );
        HeaderValue::try_from(text).ok()
    }

    fn knows(&self, id: &[u8; 32]) -> bool {
        let now = Instant::now();
        let sessions = self.sessions();
        let known = sessions.iter().filter(|session| session.until > now);
        // All of them are looked at: how long it takes says nothing.
        known.fold(false, |found, session| found | is_equal(&session.id, id))
    }

    fn sessions(&self) -> MutexGuard<'_, Vec<Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let text = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie(headers: &HeaderMap) -> Option<[u8; 32]> {
    let texts = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim() == COOKIE_NAME)?;
    from_hex(value.trim())
}

/// Returns whether another site's page had this asked, other than by a link that was followed.
fn is_foreign(headers: &HeaderMap) -> bool {
    let is = |name: &HeaderName, word: &str| headers.get(name).is_some_and(|value| value == word);
    let is_near = !headers.contains_key(&SITE) || is(&SITE, "same-origin") || is(&SITE, "none");
    !is_near && !is(&MODE, "navigate")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "correct-horse-battery-staple";

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&str, &str)| {
            (HeaderName::try_from(*name).unwrap(), HeaderValue::try_from(*value).unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    fn closed() -> Access {
        Access::new(None, None)
    }

    fn with_token() -> Access {
        Access::new(Token::new(TOKEN), None)
    }

    #[test]
    fn web_21_without_a_token_only_this_machine_may_enter() {
        let here = Peer::at([127, 0, 0, 1].into());
        let local = headers(&[("host", "127.0.0.1:7700")]);
        assert_eq!(closed().admit(here, &local), Ok(Who::Here));
        for name in ["localhost", "LocalHost:7700", "demo.localhost:1", "[::1]:7700", "127.0.0.9"] {
            assert_eq!(closed().admit(here, &headers(&[("host", name)])), Ok(Who::Here), "{name}");
        }
        let there = Peer::at([203, 0, 113, 7].into());
        assert_eq!(closed().admit(there, &local), Err(Denied::Closed));
        for name in ["forwarded", "x-forwarded-for", "x-real-ip"] {
            let proxied = headers(&[("host", "localhost"), (name, "203.0.113.7")]);
            assert_eq!(closed().admit(here, &proxied), Err(Denied::Closed), "{name}");
        }
        let public = Access::new(None, Some("https://find.example"));
        assert_eq!(public.admit(here, &local), Err(Denied::Closed));
    }

    #[test]
    fn web_21_a_strangers_name_that_points_here_opens_nothing() {
        let here = Peer::at([127, 0, 0, 1].into());
        for name in ["evil.example", "evil.example:7700", "localhost.evil.example", "10.0.0.1", ""]
        {
            let asked = headers(&[("host", name)]);
            assert_eq!(closed().admit(here, &asked), Err(Denied::Closed), "{name}");
        }
        let foreign = headers(&[("host", "localhost"), ("sec-fetch-site", "cross-site")]);
        assert_eq!(closed().admit(here, &foreign), Err(Denied::CrossSite));
    }

    #[test]
    fn web_21_a_token_is_asked_of_everybody_once_there_is_one() {
        let (access, here) = (with_token(), Peer::at([127, 0, 0, 1].into()));
        let local = headers(&[("host", "localhost")]);
        assert_eq!(access.admit(here, &local), Err(Denied::Login));
        let bearer = |token: &str| headers(&[("authorization", &format!("Bearer {token}"))]);
        assert_eq!(access.admit(here, &bearer(TOKEN)), Ok(Who::Bearer));
        for wrong in ["correct-horse-battery-stapler", ""] {
            assert_eq!(access.admit(here, &bearer(wrong)), Err(Denied::WrongToken), "{wrong}");
        }
    }

    #[test]
    fn web_21_and_28_a_login_gives_a_cookie_that_is_not_the_token() {
        let (access, there) = (with_token(), Peer::at([203, 0, 113, 7].into()));
        assert!(access.log_in("wrong").is_none());
        let cookie = access.log_in(TOKEN).unwrap();
        let text = cookie.to_str().unwrap();
        assert!(!text.contains(TOKEN) && text.contains("HttpOnly; SameSite=Strict"), "{text}");
        let (pair, _) = text.split_once(';').unwrap();
        let asked = headers(&[("cookie", &format!("a=b; {pair}"))]);
        assert_eq!(access.admit(there, &asked), Ok(Who::Session));
        let other = headers(&[("cookie", &format!("{COOKIE_NAME}={}", "0".repeat(64)))]);
        assert_eq!(access.admit(there, &other), Err(Denied::Login));
        assert_eq!(with_token().admit(there, &asked), Err(Denied::Login), "another server's");
        access.log_out(&asked);
        assert_eq!(access.admit(there, &asked), Err(Denied::Login));
    }

    #[test]
    fn logins_are_bounded() {
        let access = with_token();
        for _ in 0..3 * SESSIONS {
            access.log_in(TOKEN).unwrap();
        }
        assert_eq!(access.sessions().len(), SESSIONS);
    }

    #[test]
    fn web_21_changes_come_from_our_own_pages() {
        let access = closed();
        let check = |pairs: &[(&str, &str)], is_ours: bool| {
            let may = access.may_change(Some(Who::Here), &headers(pairs));
            assert_eq!(may.is_ok(), is_ours, "{pairs:?}");
        };
        check(&[("host", "localhost:1"), ("origin", "http://localhost:1")], true);
        check(&[("host", "localhost:1"), ("sec-fetch-site", "same-origin")], true);
        check(&[("host", "localhost:1")], false);
        check(&[("host", "localhost:1"), ("origin", "null")], false);
        check(&[("host", "localhost:1"), ("origin", "http://localhost:2")], false);
        check(&[("host", "localhost:1"), ("origin", "http://localhost:1.evil.example")], false);
        check(&[("host", "localhost:1"), ("sec-fetch-site", "cross-site")], false);
        check(&[("host", "localhost:1"), ("sec-fetch-site", "same-site")], false);
        let lies = [("host", "a"), ("origin", "http://a"), ("sec-fetch-site", "cross-site")];
        check(&lies, false);
        assert!(access.may_change(Some(Who::Bearer), &HeaderMap::new()).is_ok());
    }
}
