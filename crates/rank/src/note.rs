//! What a person should know of how a question was understood and answered.
//!
//! A note is a fact with its values; [`Note`]'s `Display` says it in English, and whoever shows it in
//! another language matches on it. Texts of the query in it are as they were typed: to be escaped.

use std::fmt;

use serde::{Serialize, Serializer};

/// One thing worth knowing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// `name:` looked like a field and is none, so that `text` was searched as words.
    NoField {
        /// What stood before the colon.
        name: String,
        /// All of it.
        text: String,
    },
    /// A field was given a value that it does not take, which was searched as words.
    WrongValue {
        /// The field, as it is written in a query.
        field: &'static str,
        /// What it takes.
        wants: Wants,
        /// What it was given.
        value: String,
    },
    /// `NEAR` was given a distance outside its reach.
    NearReach {
        /// The largest one.
        most: u32,
    },
    /// `word~` has too few letters or too many for that.
    FuzzyLength {
        /// What was written.
        word: String,
        /// The fewest letters.
        least: usize,
        /// The most letters.
        most: usize,
        /// What was searched in its place.
        searched: String,
    },
    /// `word~n` asked for more differences than are looked for.
    FewerEdits {
        /// What was written.
        word: String,
        /// The most differences.
        most: u8,
    },
    /// A pattern begins with too few letters.
    ShortPattern {
        /// What was written.
        word: String,
        /// The fewest letters.
        least: usize,
        /// What was searched in its place.
        searched: String,
    },
    /// A word with the signs of patterns in it can be none, so that it was searched without them.
    NoPattern {
        /// What was written.
        word: String,
    },
    /// A pattern stands for more words than are searched.
    ManyWords {
        /// What was written.
        pattern: String,
        /// How many words were searched, the most frequent.
        count: usize,
    },
    /// `link:` was asked before links were analysed.
    NoLinksYet {
        /// What was written.
        filter: String,
    },
    /// More pages link there than are looked at.
    SomeLinking {
        /// What was written.
        filter: String,
        /// How many were looked at.
        count: usize,
    },
    /// There were more `related:` than are looked at.
    SomeRelated {
        /// How many were looked at.
        most: usize,
    },
    /// The page of `related:` is not in the index.
    RelatedUnknown {
        /// Its address as it was written.
        url: String,
    },
    /// How pages are like that of `related:`.
    Related {
        /// Its address as it was written.
        url: String,
        /// Words that they share with it.
        words: Vec<String>,
        /// Whether links make them alike too.
        by_links: bool,
    },
    /// No page has all words of the query, or few have, so that those with any of them were found.
    FewerWords {
        /// How many words the query has.
        all: usize,
        /// How many pages have all of them.
        pages: usize,
    },
    /// Answers are in the order of their authority.
    Authorities {
        /// Answers that were looked at.
        answers: usize,
        /// Those of them that hubs link to.
        linked: usize,
        /// Pages around them that were looked at.
        around: usize,
        /// Answers of whose links only a part was looked at.
        num_cut: usize,
    },
    /// Answers should be in the order of their authority and are in that of relevance.
    NoAuthorities(WhyNot),
}

/// What a field takes as its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Words.
    Words,
    /// The name of a site or host.
    Site,
    /// A type of file such as `pdf`.
    FileType,
    /// A language such as `da`.
    Language,
    /// A date such as `2024`, `2024-05` or `2024-05-01`.
    Date,
    /// A country such as `dk`.
    Country,
    /// An address.
    Address,
}

/// Why there are no authorities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// Links were not analysed yet.
    NoGraph,
    /// The time was over.
    NoTime,
    /// The graph cannot be read.
    Unreadable,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoField { name, text } => {
                write!(f, "`{name}:` is no field; `{text}` was searched as words.")
            }
            Self::WrongValue { field, wants, value } => {
                write!(f, "`{field}:` wants {wants}; `{value}` was searched as words.")
            }
            Self::NearReach { most } => write!(f, "NEAR reaches from 1 to {most} words."),
            Self::FuzzyLength { word, least, most, searched } => write!(
                f,
                "`{word}`: only words of {least} to {most} letters can be searched with `~`; \
                 searched as `{searched}`."
            ),
            Self::FewerEdits { word, most } => {
                write!(f, "`{word}`: at most {most} letters may differ.")
            }
            Self::ShortPattern { word, least, searched } => write!(
                f,
                "`{word}`: a pattern begins with {least} letters or more; searched as `{searched}`."
            ),
            Self::NoPattern { word } => write!(
                f,
                "`{word}`: only words of letters and digits can be searched with `*`, `?` and `~`; \
                 searched without these signs."
            ),
            Self::ManyWords { pattern, count } => write!(
                f,
                "`{pattern}` stands for many words; the {count} most frequent were searched."
            ),
            Self::NoLinksYet { filter } => {
                write!(f, "`{filter}`: who links to whom is known after the first link analysis.")
            }
            Self::SomeLinking { filter, count } => {
                write!(f, "`{filter}`: {count} of the linking pages are looked at.")
            }
            Self::SomeRelated { most } => {
                write!(f, "Of several `related:` the first {most} were looked at.")
            }
            Self::RelatedUnknown { url } => {
                write!(f, "`related:{url}`: this page is not in the index.")
            }
            Self::Related { url, words, by_links } => related(f, url, words, *by_links),
            Self::FewerWords { all, pages: 0 } => {
                write!(f, "No page has all {all} words of the query; these have some of them.")
            }
            Self::FewerWords { all, pages } => write!(
                f,
                "Pages with all {all} words of the query: {pages}. The others have some of them."
            ),
            Self::Authorities { answers, linked, around, num_cut } => {
                authorities(f, [*answers, *linked, *around, *num_cut])
            }
            Self::NoAuthorities(why) => {
                write!(f, "{why}: answers are ordered by relevance.")
            }
        }
    }
}

fn related(f: &mut fmt::Formatter<'_>, url: &str, words: &[String], by_links: bool) -> fmt::Result {
    write!(f, "`related:{url}`: pages that ")?;
    if !words.is_empty() {
        write!(f, "share words with it: {}", words.join(", "))?;
    }
    if !words.is_empty() && by_links {
        f.write_str("; or that ")?;
    }
    if by_links {
        f.write_str("are linked to by the same sites, or link to the same pages")?;
    }
    f.write_str(".")
}

fn authorities(f: &mut fmt::Formatter<'_>, numbers: [usize; 4]) -> fmt::Result {
    let [answers, linked, around, num_cut] = numbers;
    write!(
        f,
        "Ordered by authority (HITS): of the first {answers} answers, {linked} are linked to by \
         hubs among the {around} pages around them."
    )?;
    if num_cut > 0 {
        write!(f, " Only a part of the links was looked at for {num_cut} of these answers.")?;
    }
    Ok(())
}

impl fmt::Display for Wants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Words => "words",
            Self::Site => "the name of a site",
            Self::FileType => "a type of file such as `pdf`",
            Self::Language => "a language such as `da`",
            Self::Date => "a date such as `2024`, `2024-05` or `2024-05-01`",
            Self::Country => "a country of two letters such as `dk`",
            Self::Address => "an address",
        })
    }
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoGraph => "There is no link graph yet",
            Self::NoTime => "There was no time to find authorities",
            Self::Unreadable => "Authorities cannot be found",
        })
    }
}

/// A note is written as the sentence that it is: programs have read notes so from the beginning.
impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_pages_alike_is_one_sentence() {
        let say = |words: &[&str], by_links| {
            let words = words.iter().map(|word| (*word).to_owned()).collect();
            Note::Related { url: "a.example".to_owned(), words, by_links }.to_string()
        };
        let links = "are linked to by the same sites, or link to the same pages.";
        assert_eq!(
            say(&["cat", "dog"], false),
            "`related:a.example`: pages that share words with it: cat, dog."
        );
        assert_eq!(say(&[], true), format!("`related:a.example`: pages that {links}"));
        assert_eq!(
            say(&["cat"], true),
            format!("`related:a.example`: pages that share words with it: cat; or that {links}")
        );
    }
}
