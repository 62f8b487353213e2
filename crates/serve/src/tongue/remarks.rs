//! What links say of a result and why it is like another page, in the language of the page.
//!
//! `rank` says it in English; every other language brings sentences of its own, as for notes. The
//! evidence of link spam is English everywhere, and is marked so.

use base::SpamKind;
use rank::{Likeness, LinkLikeness, Remark, SpamPart, SpamRole};

use super::Tongue;
use super::notes::fill;
use super::words::Plural;

/// The sentences of one language.
#[derive(Debug)]
pub(crate) struct RemarkWords {
    /// Topics with their shares, how many times the mean.
    pub(crate) topics: &'static str,
    /// The same, where the pages found told the shares.
    pub(crate) topics_told: &'static str,
    /// How many times the mean.
    pub(crate) trusted: &'static str,
    pub(crate) not_trusted: &'static str,
    pub(crate) spam: &'static str,
    /// Kind, how certain.
    pub(crate) spam_target: &'static str,
    /// Kind, how certain.
    pub(crate) spam_helper: &'static str,
    pub(crate) farm: &'static str,
    pub(crate) exchange: &'static str,
    pub(crate) shared_targets: &'static str,
    /// Looks made for search engines, without reasons and with.
    pub(crate) doubted: &'static str,
    pub(crate) doubts: &'static str,
    pub(crate) repetition: &'static str,
    pub(crate) frequency: &'static str,
    pub(crate) keyword_list: &'static str,
    pub(crate) stuffed_title: &'static str,
    pub(crate) hidden_text: &'static str,
    /// Sites that link to both.
    pub(crate) cited_by_sites: Plural,
    /// Pages of one site that do.
    pub(crate) cited_by_pages: Plural,
    /// Pages that both link to.
    pub(crate) links_to: Plural,
    /// Words.
    pub(crate) same_words: &'static str,
    /// What stands between two things of a list, and between two reasons.
    pub(crate) comma: &'static str,
    pub(crate) semicolon: &'static str,
}

/// A remark as the page shows it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    /// In the language of the page.
    pub(crate) text: String,
    /// In English, where there is more to say.
    pub(crate) evidence: Option<String>,
}

impl Tongue {
    /// Says what links say of a page.
    pub(crate) fn remark(self, remark: &Remark) -> Said {
        let Some(words) = &self.words().remarks else {
            return Said { text: remark.to_string(), evidence: None };
        };
        let times = |times: f32| self.decimal(times.into(), 1);
        let text = match remark {
            Remark::Topics { topics, is_told_by_pages, times: mean } => {
                let sentence = if *is_told_by_pages { words.topics_told } else { words.topics };
                let part = |(name, share): &(String, f32)| {
                    format!("{name} {}", self.percent(f64::from(*share)))
                };
                let topics: Vec<String> = topics.iter().map(part).collect();
                fill(sentence, &[&topics.join(words.comma), &times(*mean)])
            }
            Remark::Trusted { times: mean } => fill(words.trusted, &[&times(*mean)]),
            Remark::NotTrusted => words.not_trusted.to_owned(),
            Remark::Sum(_) => String::new(),
            Remark::Spam(None) => words.spam.to_owned(),
            Remark::Doubts(kinds) if kinds.is_empty() => words.doubted.to_owned(),
            Remark::Doubts(kinds) => {
                let kinds: Vec<&str> = kinds.iter().map(|kind| words.doubt(*kind)).collect();
                fill(words.doubts, &[&kinds.join(words.comma)])
            }
            Remark::Spam(Some(part)) => {
                let SpamPart { role, kind, score, .. } = part;
                let sentence = match role {
                    SpamRole::Target => words.spam_target,
                    SpamRole::Helper => words.spam_helper,
                };
                let kind = words.kind(kind);
                fill(sentence, &[kind, &self.decimal(*score, 2)])
            }
        };
        let evidence = match remark {
            Remark::Spam(Some(part)) => Some(part.reasons.join("; ")),
            Remark::Sum(formula) => Some(formula.clone()),
            _ => None,
        };
        Said { text, evidence: evidence.filter(|text| !text.is_empty()) }
    }

    /// Says why a page is like another.
    pub(crate) fn likenesses(self, all: &[Likeness]) -> String {
        let Some(words) = &self.words().remarks else {
            return all.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        };
        let say = |likeness: &Likeness| match likeness {
            Likeness::Links(LinkLikeness::CitedBySites { sites }) => {
                self.count(&words.cited_by_sites, *sites as u64)
            }
            Likeness::Links(LinkLikeness::CitedByPages { pages }) => {
                self.count(&words.cited_by_pages, *pages as u64)
            }
            Likeness::Links(LinkLikeness::LinksTo { pages }) => {
                self.count(&words.links_to, *pages as u64)
            }
            Likeness::Words(shared) => fill(words.same_words, &[&shared.join(words.comma)]),
        };
        all.iter().map(say).collect::<Vec<_>>().join(words.semicolon)
    }
}

impl RemarkWords {
    fn doubt(&self, kind: SpamKind) -> &'static str {
        match kind {
            SpamKind::Repetition => self.repetition,
            SpamKind::Frequency => self.frequency,
            SpamKind::KeywordList => self.keyword_list,
            SpamKind::StuffedTitle => self.stuffed_title,
            SpamKind::HiddenText => self.hidden_text,
        }
    }

    /// Returns the name of a kind of link spam; one that came later has its own.
    fn kind<'a>(&self, kind: &'a str) -> &'a str {
        match kind {
            "farm" => self.farm,
            "exchange" => self.exchange,
            "shared targets" => self.shared_targets,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spam(role: SpamRole, kind: &str) -> Remark {
        let reasons = vec!["7 pages link {0}".to_owned()];
        Remark::Spam(Some(SpamPart { role, kind: kind.to_owned(), score: 0.75, reasons }))
    }

    fn topics(is_told_by_pages: bool) -> Remark {
        let topics = vec![("news".to_owned(), 0.7), ("{1}".to_owned(), 0.3)];
        Remark::Topics { topics, is_told_by_pages, times: 2.5 }
    }

    #[test]
    fn every_language_says_every_remark_with_all_its_values() {
        for remark in [
            topics(false),
            topics(true),
            Remark::Trusted { times: 2.5 },
            Remark::NotTrusted,
            Remark::Spam(None),
            spam(SpamRole::Target, "farm"),
            spam(SpamRole::Helper, "exchange"),
            spam(SpamRole::Helper, "shared targets"),
            spam(SpamRole::Target, "of the future"),
            Remark::Doubts(Vec::new()),
            Remark::Doubts(vec![SpamKind::Repetition, SpamKind::HiddenText]),
            Remark::Doubts(vec![SpamKind::Frequency]),
            Remark::Doubts(vec![SpamKind::KeywordList]),
            Remark::Doubts(vec![SpamKind::StuffedTitle]),
        ] {
            let english = remark.to_string();
            for tongue in Tongue::ALL {
                let Said { text, evidence } = tongue.remark(&remark);
                assert_eq!(text == english, tongue == Tongue::English, "{text}");
                let said = format!("{text} {}", evidence.unwrap_or_default());
                for value in ["news", "{1}", "7 pages link {0}", "of the future"] {
                    assert_eq!(said.contains(value), english.contains(value), "{said}");
                }
                for (number, written) in [("2.5", (2.5, 1)), ("0.75", (0.75, 2))] {
                    let written = tongue.decimal(written.0, written.1);
                    assert_eq!(said.contains(&written), english.contains(number), "{said}");
                }
            }
        }
        let german = Tongue::German.remark(&topics(false)).text;
        assert_eq!(
            german,
            "Bedeutung für news 70\u{a0}%, {1} 30\u{a0}%: das 2,5-fache des Mittels."
        );
    }

    #[test]
    fn every_language_says_why_pages_are_alike() {
        let links = |links| Likeness::Links(links);
        let all = [
            links(LinkLikeness::CitedBySites { sites: 7 }),
            links(LinkLikeness::CitedByPages { pages: 3 }),
            links(LinkLikeness::LinksTo { pages: 12 }),
            Likeness::Words(vec!["cat".to_owned(), "{0}".to_owned()]),
        ];
        let english = Tongue::English.likenesses(&all);
        assert_eq!(
            english,
            "cited together by 7 sites; cited together by 3 pages of 1 site; links to the same 12 \
             pages; same words: cat, {0}"
        );
        for tongue in Tongue::ALL.into_iter().filter(|tongue| *tongue != Tongue::English) {
            for likeness in &all {
                let said = tongue.likenesses(std::slice::from_ref(likeness));
                assert_ne!(said, likeness.to_string());
                assert!(tongue.likenesses(&all).contains(&said));
            }
            let said = tongue.likenesses(&all);
            for value in [tongue.number(7), tongue.number(3), tongue.number(12)] {
                assert!(said.contains(&value), "{said}");
            }
            assert!(said.contains("cat") && said.contains("{0}"), "{said}");
        }
    }
}
