//! What a page says of its own dates, weighed (P9).
//!
//! Each source has a weight of its own. A claim that others of another source agree with, to the
//! day, is surer; one whose source names many days (a list of articles, comments) is less sure.
//! Nothing lies after the fetch, and nothing was changed before it was published.

use base::{Block, DateSource, Dated, Timestamp};

use super::words::{Found, Order, dates};

/// Which date a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Published,
    Modified,
}

/// Claims kept; more are of lists.
const MOST: usize = 64;
const DAY: i64 = 86_400_000;
/// Two claims of one day, as zones and midnights allow.
const SAME_DAY: i64 = DAY + DAY / 2;

#[derive(Clone, Copy, Debug)]
struct Claim {
    what: What,
    at: Timestamp,
    source: DateSource,
    weight: u8,
}

/// The claims of one page.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    list: Vec<Claim>,
}

impl Claims {
    /// Adds a claim with the weight of its source.
    pub(crate) fn add(&mut self, what: What, at: Option<Timestamp>, source: DateSource) {
        let weight = match source {
            DateSource::Structured | DateSource::OpenGraph => 80,
            DateSource::Meta | DateSource::Document => 65,
            DateSource::Address => 60,
            DateSource::Time | DateSource::Text => 45,
            DateSource::Header => 20,
        };
        self.add_weighed(what, at, source, weight);
    }

    /// Adds a claim that is surer or less sure than its source is as a rule.
    pub(crate) fn add_weighed(
        &mut self,
        what: What,
        at: Option<Timestamp>,
        source: DateSource,
        weight: u8,
    ) {
        if let Some(at) = at
            && self.list.len() < MOST
        {
            self.list.push(Claim { what, at, source, weight });
        }
    }

    /// Adds the `Last-Modified` field, unless it says when the page was asked for (HTTP-14).
    pub(crate) fn add_header(&mut self, field: &str, fetched: Option<Timestamp>) {
        let at = super::parse(field);
        // A page made on request is as old as the request; of a future date nothing is known.
        let is_fresh =
            at.zip(fetched).is_some_and(|(at, now)| now.as_millis() - at.as_millis() < 60_000);
        self.add(What::Modified, at.filter(|_| !is_fresh), DateSource::Header);
    }

    /// Returns when the page was published and when it was changed, as far as can be told.
    pub(crate) fn finish(mut self, fetched: Option<Timestamp>) -> (Option<Dated>, Option<Dated>) {
        if let Some(now) = fetched {
            // East of us it may be tomorrow already.
            self.list.retain(|claim| claim.at.as_millis() <= now.as_millis() + DAY);
            for claim in &mut self.list {
                claim.at = claim.at.min(now);
            }
        }
        let published = self.best(What::Published);
        let modified = self.best(What::Modified);
        match (published, modified) {
            (Some(first), Some(last)) if last.at.as_millis() + SAME_DAY < first.at.as_millis() => {
                if last.confidence > first.confidence {
                    (None, modified)
                } else {
                    (published, None)
                }
            }
            both => both,
        }
    }

    fn best(&self, what: What) -> Option<Dated> {
        let mut best: Option<Dated> = None;
        for claim in self.list.iter().filter(|claim| claim.what == what) {
            let confidence = self.confidence(claim);
            let found = Dated { at: claim.at, source: claim.source, confidence };
            let is_better = best.is_none_or(|best| {
                let is_apter = match what {
                    What::Published => found.at < best.at,
                    What::Modified => found.at > best.at,
                };
                let rank = |dated: &Dated| (dated.confidence, std::cmp::Reverse(dated.source));
                rank(&found) > rank(&best) || rank(&found) == rank(&best) && is_apter
            });
            if is_better {
                best = Some(found);
            }
        }
        best
    }

    fn confidence(&self, claim: &Claim) -> u8 {
        let mut doubt = 100 - u32::from(claim.weight.min(100));
        let mut agreeing = Vec::new();
        let mut strays = 0;
        for other in self.list.iter().filter(|other| other.what == claim.what) {
            let agrees = (other.at.as_millis() - claim.at.as_millis()).abs() < SAME_DAY;
            if other.source == claim.source {
                strays += u32::from(!agrees);
            } else if agrees && !agreeing.contains(&other.source) {
                agreeing.push(other.source);
                // Servers date files, not texts.
                doubt = doubt * if other.source == DateSource::Header { 4 } else { 3 } / 5;
            }
        }
        let sure = 100 - doubt;
        let sure = if strays > 2 { sure / 2 } else { sure };
        u8::try_from(sure).unwrap_or(100)
    }
}

/// Blocks looked at from the beginning and from the end: bylines and footers.
const FIRST_BLOCKS: usize = 60;
const LAST_BLOCKS: usize = 30;
/// Bytes of a block looked at from its beginning and its end.
const HEAD_BYTES: usize = 200;
const TAIL_BYTES: usize = 300;
/// Blocks with digits looked at: a table of numbers is no byline.
const MOST_BLOCKS: usize = 40;

/// Adds what lines of the text say: `Published 17 May 2024`, `Last updated: …`.
pub(crate) fn add_visible(blocks: &[Block], order: Order, claims: &mut Claims) {
    let tail = blocks.len().saturating_sub(LAST_BLOCKS).max(FIRST_BLOCKS.min(blocks.len()));
    let first = &blocks[..blocks.len().min(FIRST_BLOCKS)];
    let chosen = first.iter().chain(&blocks[tail..]).enumerate();
    let has_digits = |block: &Block| block.text.bytes().any(|byte| byte.is_ascii_digit());
    for (place, block) in chosen.filter(|(_, block)| has_digits(block)).take(MOST_BLOCKS) {
        let text = block.text.as_str();
        if text.len() <= HEAD_BYTES + TAIL_BYTES {
            add_line(text, order, place < FIRST_BLOCKS / 2, claims);
        } else {
            add_line(base::limits::cut(text, HEAD_BYTES), order, false, claims);
            add_line(
                &text[text.ceil_char_boundary(text.len() - TAIL_BYTES)..],
                order,
                false,
                claims,
            );
        }
    }
}

fn add_line(text: &str, order: Order, is_early: bool, claims: &mut Claims) {
    let found = dates(text, order);
    let mut before = 0;
    for Found { start, end, at } in found {
        let lead = &text[text.ceil_char_boundary(start.saturating_sub(80)).max(before)..start];
        let behind = base::limits::cut(&text[end..], 24);
        before = end;
        if let Some(what) = spoken(lead, true).or_else(|| spoken(behind, false)) {
            claims.add(what, Some(at), DateSource::Text);
        } else if is_early && text.len() <= end - start + 24 {
            claims.add_weighed(What::Published, Some(at), DateSource::Text, 25);
        }
    }
}

/// Words that say what a date is. Those of change come first: `last published` is a change.
#[rustfmt::skip]
const WORDS: [(&str, What); 64] = [
    ("updated", What::Modified), ("update:", What::Modified), ("last update", What::Modified),
    ("modified", What::Modified), ("last change", What::Modified), ("last changed", What::Modified),
    ("revised", What::Modified), ("last edited", What::Modified), ("last revision", What::Modified),
    ("last reviewed", What::Modified), ("aktualisiert", What::Modified),
    ("letzte änderung", What::Modified), ("zuletzt geändert", What::Modified),
    ("stand:", What::Modified), ("mis à jour", What::Modified), ("mise à jour", What::Modified),
    ("dernière modification", What::Modified), ("actualizado", What::Modified),
    ("última modificación", What::Modified), ("actualización", What::Modified),
    ("atualizado", What::Modified), ("última atualização", What::Modified),
    ("aggiornato", What::Modified), ("ultimo aggiornamento", What::Modified),
    ("ultima modifica", What::Modified), ("bijgewerkt", What::Modified),
    ("laatst gewijzigd", What::Modified), ("uppdaterad", What::Modified),
    ("senast ändrad", What::Modified), ("opdateret", What::Modified),
    ("senest ændret", What::Modified), ("sidst ændret", What::Modified),
    ("oppdatert", What::Modified), ("sist endret", What::Modified), ("päivitetty", What::Modified),
    ("zaktualizowano", What::Modified), ("aktualizacja", What::Modified),
    ("aktualizováno", What::Modified), ("обновлено", What::Modified), ("изменено", What::Modified),
    ("оновлено", What::Modified), ("güncelleme", What::Modified), ("更新", What::Modified),
    ("수정", What::Modified),
    ("published", What::Published), ("posted", What::Published), ("publication date", What::Published),
    ("veröffentlicht", What::Published), ("erschienen", What::Published),
    ("publié", What::Published), ("publicado", What::Published), ("pubblicato", What::Published),
    ("gepubliceerd", What::Published), ("publicerad", What::Published), ("udgivet", What::Published),
    ("publisert", What::Published), ("julkaistu", What::Published),
    ("opublikowano", What::Published), ("publikováno", What::Published),
    ("опубликовано", What::Published), ("yayınlanma", What::Published), ("发布", What::Published),
    ("公開", What::Published), ("게시", What::Published),
];

/// Returns what a piece of text beside a date says of it; the word nearest to the date counts.
fn spoken(text: &str, is_before: bool) -> Option<What> {
    let text = text.to_lowercase();
    let mut best: Option<(usize, What)> = None;
    for (word, what) in WORDS {
        // Behind the date only scripts without spaces say it.
        if !is_before && !word.starts_with(text::is_unspaced) && !word.starts_with('수') {
            continue;
        }
        let found = if is_before { text.rfind(word) } else { text.find(word) };
        let Some(found) = found else { continue };
        let distance = if is_before { text.len() - found - word.len() } else { found };
        if best.is_none_or(|(nearest, _)| distance < nearest) {
            best = Some((distance, what));
        }
    }
    best.map(|(_, what)| what)
}

#[cfg(test)]
mod tests {
    use base::Zone;

    use super::*;

    fn day(text: &str) -> Option<Timestamp> {
        super::super::parse(text)
    }

    #[track_caller]
    fn check(claims: Claims, fetched: &str, expected: &str) {
        let (published, modified) = claims.finish(day(fetched));
        let shown = |dated: Option<Dated>| {
            dated.map_or("-".to_owned(), |dated| {
                format!("{} {:?} {}", &dated.at.rfc3339()[..10], dated.source, dated.confidence)
            })
        };
        assert_eq!(format!("{} | {}", shown(published), shown(modified)), expected);
    }

    fn claims(list: &[(What, &str, DateSource)]) -> Claims {
        let mut claims = Claims::default();
        for (what, text, source) in list {
            claims.add(*what, day(text), *source);
        }
        claims
    }

    use DateSource::{Address, Header, Meta, OpenGraph, Structured, Text, Time};
    use What::{Modified, Published};

    #[test]
    fn agreement_makes_sure() {
        let one = [(Published, "2024-05-17", Time)];
        check(claims(&one), "2025-01-01", "2024-05-17 Time 45 | -");
        let two = [(Published, "2024-05-17", Time), (Published, "2024-05-17T22:00:00Z", Address)];
        check(claims(&two), "2025-01-01", "2024-05-17 Address 76 | -");
        let three = [
            (Published, "2024-05-17", Structured),
            (Published, "2024-05-17", OpenGraph),
            (Published, "2024-05-17", Meta),
            (Published, "2020-01-01", Text),
        ];
        check(claims(&three), "2025-01-01", "2024-05-17 Structured 93 | -");
    }

    #[test]
    fn many_days_of_one_source_are_a_list() {
        let list: Vec<_> = ["2024-05-17", "2024-05-14", "2024-05-11", "2024-05-08"]
            .map(|day| (Published, day, Time))
            .to_vec();
        check(claims(&list), "2025-01-01", "2024-05-08 Time 22 | -");
    }

    #[test]
    fn http_14_nothing_lies_after_the_fetch() {
        let late = [(Published, "2031-05-17", Structured), (Modified, "2024-05-17", Meta)];
        check(claims(&late), "2025-01-01", "- | 2024-05-17 Meta 65");
        let tomorrow = [(Published, "2025-01-01T10:00:00Z", Meta)];
        check(claims(&tomorrow), "2025-01-01", "2025-01-01 Meta 65 | -");
        for (field, expected) in [
            ("Fri, 17 May 2024 10:00:00 GMT", "- | 2024-05-17 Header 20"),
            ("Fri, 17 May 2030 10:00:00 GMT", "- | -"),
            ("Mon, 01 Jan 1601 00:00:00 GMT", "- | -"),
            ("Wed, 01 Jan 2025 00:00:00 GMT", "- | -"),
            ("yesterday", "- | -"),
            ("", "- | -"),
        ] {
            let mut claims = Claims::default();
            claims.add_header(field, day("2025-01-01"));
            check(claims, "2025-01-01", expected);
        }
    }

    #[test]
    fn nothing_changes_before_it_is_published() {
        let list = [(Published, "2024-05-17", Structured), (Modified, "2020-01-01", Header)];
        check(claims(&list), "2025-01-01", "2024-05-17 Structured 80 | -");
        let list = [(Published, "2024-05-17", Text), (Modified, "2020-01-01", Meta)];
        check(claims(&list), "2025-01-01", "- | 2020-01-01 Meta 65");
    }

    #[track_caller]
    fn check_line(text: &str, expected: &str) {
        let mut claims = Claims::default();
        let blocks = [Block { zone: Zone::Body, text: text.to_owned() }];
        add_visible(&blocks, Order::DayFirst, &mut claims);
        check(claims, "2025-01-01", expected);
    }

    #[test]
    fn lines_of_the_text_say_dates() {
        check_line("Published 17 May 2024", "2024-05-17 Text 45 | -");
        check_line("Posted by Ada on May 17, 2024 in News", "2024-05-17 Text 45 | -");
        check_line("Last updated: 17/05/2024", "- | 2024-05-17 Text 45");
        check_line(
            "Veröffentlicht am 17. Mai 2024, aktualisiert am 18. Mai 2024",
            "2024-05-17 Text 45 | 2024-05-18 Text 45",
        );
        check_line(
            "Publié le 17 mai 2024 à 10h, mis à jour le 18 mai 2024",
            "2024-05-17 Text 45 | 2024-05-18 Text 45",
        );
        check_line("2024年5月17日 更新", "- | 2024-05-17 Text 45");
        check_line("更新日：2024年5月17日", "- | 2024-05-17 Text 45");
        check_line("Опубликовано 17 мая 2024", "2024-05-17 Text 45 | -");
        check_line("17 May 2024", "2024-05-17 Text 25 | -");
        check_line("Last modified: Tuesday, 19-Nov-96 03:11:17 GMT", "- | 1996-11-19 Text 45");
        check_line("On 17 May 2024 the ship left port and nobody has seen it since then.", "- | -");
        check_line("Copyright 1996-2001", "- | -");
        let long = format!("{} Last updated 17 May 2024.", "words and more words ".repeat(500));
        check_line(&long, "- | 2024-05-17 Text 45");
    }
}
