//! What a language must be able to say: one field for each text of the pages.
//!
//! `{}` stands for a number or a name. Texts are plain text; the templates escape them.

use super::Tongue;
use super::faults::FaultWords;
use super::notes::NoteWords;
use super::remarks::RemarkWords;

/// All texts of one language.
#[derive(Debug)]
pub(crate) struct Words {
    /// What the language calls itself.
    pub(crate) own_name: &'static str,
    /// Short names, January first.
    pub(crate) months: [&'static str; 12],

    // Every page
    pub(crate) skip: &'static str,
    pub(crate) search_for: &'static str,
    pub(crate) search: &'static str,
    /// `{}` is our name.
    pub(crate) search_with: &'static str,
    pub(crate) suggestions: &'static str,
    pub(crate) searching: Plural,
    pub(crate) nothing_to_find: &'static str,
    pub(crate) nothing_crawled: &'static str,
    pub(crate) crawling: &'static str,
    pub(crate) pages_per_second: &'static str,
    pub(crate) try_this: &'static str,
    pub(crate) back_to_start: &'static str,
    /// Leads to what we say to owners of sites.
    pub(crate) about_crawler: &'static str,
    /// Leads to what we say to writers of programs.
    pub(crate) for_programs: &'static str,
    pub(crate) help: Help,

    // Results
    pub(crate) results_for: &'static str,
    pub(crate) results: Plural,
    /// `{}` is a number of results that is not sure.
    pub(crate) about: &'static str,
    /// `{}` is a number of milliseconds.
    pub(crate) took: &'static str,
    pub(crate) understood_as: &'static str,
    pub(crate) time_ran_out: &'static str,
    pub(crate) each_by_itself: &'static str,
    pub(crate) fold: &'static str,
    pub(crate) explain_all: &'static str,
    pub(crate) explain_none: &'static str,
    pub(crate) did_you_mean: &'static str,
    pub(crate) related_searches: &'static str,
    pub(crate) fetched: &'static str,
    pub(crate) copy: &'static str,
    /// Near copies of a result.
    pub(crate) copies: Plural,
    pub(crate) alike_pages: &'static str,
    pub(crate) more_from: &'static str,
    /// How many sites describe a page that was never fetched.
    pub(crate) described: Plural,
    pub(crate) alike: &'static str,
    pub(crate) result_pages: &'static str,
    pub(crate) previous: &'static str,
    pub(crate) next: &'static str,
    pub(crate) everything: &'static str,
    pub(crate) pictures: &'static str,
    pub(crate) show_picture: &'static str,
    pub(crate) no_pictures: &'static str,

    // Nothing found
    pub(crate) nothing_found: &'static str,
    pub(crate) nothing_asked: &'static str,
    pub(crate) simpler: &'static str,
    pub(crate) check_spelling: &'static str,
    pub(crate) ask_again: &'static str,
    pub(crate) wait_for_crawl: &'static str,
    pub(crate) without_filters: &'static str,

    pub(crate) hubs: Hubs,
    pub(crate) filters: Filters,
    pub(crate) why: Why,
    pub(crate) own: Own,
    pub(crate) trouble: Troubles,
    pub(crate) kept: Kept,
    /// What a search has to say of a query; none in the language that it says it in.
    pub(crate) notes: Option<NoteWords>,
    pub(crate) remarks: Option<RemarkWords>,
    pub(crate) faults: Option<FaultWords>,
}

/// How to search, beside examples that need no words.
#[derive(Debug)]
pub(crate) struct Help {
    pub(crate) title: &'static str,
    pub(crate) words: &'static str,
    pub(crate) phrase: &'static str,
    pub(crate) either: &'static str,
    pub(crate) without: &'static str,
    pub(crate) groups: &'static str,
    pub(crate) near: &'static str,
    pub(crate) forms: &'static str,
    pub(crate) fields: &'static str,
    pub(crate) keys: &'static str,
}

/// Hubs and authorities.
#[derive(Debug)]
pub(crate) struct Hubs {
    pub(crate) title: &'static str,
    pub(crate) authorities: &'static str,
    pub(crate) authorities_are: &'static str,
    pub(crate) hubs: &'static str,
    pub(crate) hubs_are: &'static str,
    /// How many pages around the answers.
    pub(crate) looked_at: Plural,
    /// What a bar shows.
    pub(crate) share: &'static str,
    pub(crate) is_answer: &'static str,
    pub(crate) none: &'static str,
    pub(crate) not_yet: &'static str,
}

/// Filters.
#[derive(Debug)]
pub(crate) struct Filters {
    pub(crate) title: &'static str,
    pub(crate) remove: &'static str,
    pub(crate) time: &'static str,
    pub(crate) any_time: &'static str,
    pub(crate) day: &'static str,
    pub(crate) week: &'static str,
    pub(crate) month: &'static str,
    pub(crate) year: &'static str,
    pub(crate) language: &'static str,
    pub(crate) site: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) country: &'static str,
}

/// Why a result stands where it stands.
#[derive(Debug)]
pub(crate) struct Why {
    /// The link that asks.
    pub(crate) ask: &'static str,
    /// Before the score.
    pub(crate) score: &'static str,
    pub(crate) what: &'static str,
    pub(crate) measured: &'static str,
    pub(crate) weight: &'static str,
    pub(crate) adds: &'static str,
    pub(crate) share: &'static str,
    pub(crate) meanings: Meanings,
}

/// What the parts of a score measure.
#[derive(Debug)]
pub(crate) struct Meanings {
    pub(crate) text: &'static str,
    pub(crate) exact: &'static str,
    pub(crate) title: &'static str,
    pub(crate) address: &'static str,
    pub(crate) anchors: &'static str,
    pub(crate) links: &'static str,
    pub(crate) topics: &'static str,
    pub(crate) trust: &'static str,
    pub(crate) spam: &'static str,
    pub(crate) authority: &'static str,
    pub(crate) closeness: &'static str,
    pub(crate) phrase: &'static str,
    pub(crate) complete: &'static str,
    pub(crate) letters: &'static str,
    pub(crate) related: &'static str,
    pub(crate) feedback: &'static str,
    pub(crate) freshness: &'static str,
    pub(crate) quality: &'static str,
    pub(crate) preferred: &'static str,
    pub(crate) lowered: &'static str,
    pub(crate) language: &'static str,
    pub(crate) place: &'static str,
    pub(crate) town: &'static str,
}

impl Meanings {
    /// Returns what a part of this name measures; `None` if we have no words for it.
    pub(crate) fn of(&self, name: &str) -> Option<&'static str> {
        Some(match name {
            "text" => self.text,
            "exact" => self.exact,
            "title" => self.title,
            "address" => self.address,
            "anchors" => self.anchors,
            "links" => self.links,
            "topics" => self.topics,
            "trust" => self.trust,
            "spam" => self.spam,
            "authority" => self.authority,
            "closeness" => self.closeness,
            "phrase" => self.phrase,
            "complete" => self.complete,
            "letters" => self.letters,
            "related" => self.related,
            "feedback" => self.feedback,
            "freshness" => self.freshness,
            "quality" => self.quality,
            "preferred" => self.preferred,
            "lowered" => self.lowered,
            "language" => self.language,
            "place" => self.place,
            "town" => self.town,
            _ => return None,
        })
    }
}

/// Preferences.
#[derive(Debug)]
pub(crate) struct Own {
    pub(crate) title: &'static str,
    pub(crate) promise: &'static str,
    /// The buttons of a result.
    pub(crate) prefer: &'static str,
    pub(crate) lower: &'static str,
    pub(crate) block: &'static str,
    /// Undoes any of them.
    pub(crate) forget: &'static str,
    /// Results that are left out.
    pub(crate) left_out: Plural,
    pub(crate) sites: &'static str,
    pub(crate) one_a_line: &'static str,
    pub(crate) preferred: &'static str,
    pub(crate) lowered: &'static str,
    pub(crate) blocked: &'static str,
    pub(crate) results: &'static str,
    pub(crate) languages: &'static str,
    pub(crate) languages_hint: &'static str,
    pub(crate) topics: &'static str,
    pub(crate) topics_hint: &'static str,
    pub(crate) country: &'static str,
    pub(crate) country_hint: &'static str,
    pub(crate) nowhere: &'static str,
    pub(crate) town: &'static str,
    pub(crate) town_hint: &'static str,
    pub(crate) count: &'static str,
    pub(crate) looks: &'static str,
    pub(crate) theme: &'static str,
    pub(crate) automatic: &'static str,
    pub(crate) light: &'static str,
    pub(crate) dark: &'static str,
    pub(crate) interface: &'static str,
    pub(crate) keys: &'static str,
    pub(crate) save: &'static str,
    pub(crate) saved: &'static str,
    pub(crate) not_saved: &'static str,
    pub(crate) not_understood: &'static str,
    pub(crate) too_much: &'static str,
    pub(crate) carry: &'static str,
    pub(crate) carry_hint: &'static str,
    pub(crate) file: &'static str,
    pub(crate) address: &'static str,
    pub(crate) paste: &'static str,
    pub(crate) take: &'static str,
    pub(crate) forget_all: &'static str,
}

/// What went wrong: a title and a sentence.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) title: &'static str,
    pub(crate) detail: &'static str,
}

/// Everything that can go wrong and is not said by a parameter.
#[derive(Debug)]
pub(crate) struct Troubles {
    /// Only the title: the sentence tells which parameter it is.
    pub(crate) bad_request: &'static str,
    pub(crate) too_long: Trouble,
    pub(crate) not_found: Trouble,
    pub(crate) no_copy: Trouble,
    pub(crate) noarchive: Trouble,
    pub(crate) gone: Trouble,
    pub(crate) not_allowed: Trouble,
    pub(crate) elsewhere: Trouble,
    pub(crate) too_many: Trouble,
    pub(crate) busy: Trouble,
    pub(crate) internal: Trouble,
}

/// What stands around the copy of a page.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) title: &'static str,
    pub(crate) page: &'static str,
    pub(crate) document: &'static str,
    pub(crate) changed: &'static str,
    pub(crate) itself: &'static str,
    pub(crate) back: &'static str,
    pub(crate) goes_on: &'static str,
}

/// A text with a number in the forms that a language has.
#[derive(Debug)]
pub(crate) struct Plural {
    one: &'static str,
    two: &'static str,
    few: &'static str,
    many: &'static str,
    other: &'static str,
}

impl Plural {
    /// One form for all numbers.
    pub(super) const fn same(other: &'static str) -> Self {
        Self { one: other, two: other, few: other, many: other, other }
    }

    /// One, and more.
    pub(super) const fn two(one: &'static str, other: &'static str) -> Self {
        Self { one, two: other, few: other, many: other, other }
    }

    /// One, two, a few, many, and hundreds.
    pub(super) const fn five(
        one: &'static str,
        two: &'static str,
        few: &'static str,
        many: &'static str,
        other: &'static str,
    ) -> Self {
        Self { one, two, few, many, other }
    }

    /// Returns the form for a number, by the rules of Unicode's CLDR.
    pub(crate) fn form(&self, tongue: Tongue, number: u64) -> &'static str {
        match (tongue, number) {
            (Tongue::French, 0) | (_, 1) => self.one,
            (Tongue::Arabic, 2) => self.two,
            (Tongue::Arabic, number) => match number % 100 {
                3..=10 => self.few,
                11..=99 => self.many,
                _ => self.other,
            },
            _ => self.other,
        }
    }
}
