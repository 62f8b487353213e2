//! What is wrong with a page: strange responses, hidden text, term spam.

use serde::{Deserialize, Serialize};

/// Something strange about a response that did not stop us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Oddity {
    /// The body was longer than the limit and was cut.
    BodyCut,
    /// The server closed before the announced end.
    BodyIncomplete,
    /// The text was longer than the limit and was cut.
    TextCut,
    /// More links than the limit; the rest is not taken.
    LinksCut,
    /// Nesting deeper than the limit; what lies deeper was flattened.
    DepthCut,
    /// More nodes or attributes than the limit.
    NodesCut,
    /// The server's content type does not fit the bytes.
    TypeMismatch,
    /// Bytes that the character set does not know.
    BadCharacters,
    /// Our reader failed on it; the response is archived, its text is not known.
    Unreadable,
    /// A sitemap or feed has more entries than the limit, or breaks off; the rest is not taken.
    ListingCut,
    /// The page answers 200 like every address of its host that does not exist (LNK-09).
    SoftMissing,
    /// Taken out on request (C18): what was known of it is gone.
    Forgotten,
    /// Redirects to something that is not the web (RED-04).
    RedirectScheme,
    /// Redirects to what is no address, or to one that is too long (RED-05).
    RedirectLocation,
    /// Redirects to itself (RED-12).
    RedirectLoop,
    /// Redirects from https to http, which is not wanted (RED-07).
    RedirectDowngrade,
    /// A document that opens only with a password (PDF-07).
    Encrypted,
    /// A document without text: pictures of pages (PDF-09).
    NoText,
    /// Reading the document took more time or memory than allowed, and was ended.
    ReaderKilled,
    /// A document has more pages or entries than the limit; the rest is not read.
    DocumentCut,
}

/// Text of a page that its visitors do not see (P7): kept apart, never ranked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hidden {
    /// How it is hidden.
    pub reason: HiddenReason,
    /// The text, cut to a sample.
    pub text: String,
}

/// How text is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum HiddenReason {
    /// `display: none`, `visibility: hidden`, `opacity: 0`.
    NotShown,
    /// The `hidden` attribute.
    Attribute,
    /// In the colour of what is behind it, or nearly.
    Colour,
    /// A pixel high or less.
    Tiny,
    /// Moved off the screen.
    OffScreen,
    /// Clipped to nothing, or in a box of no size.
    Clipped,
    /// `aria-hidden` on text.
    AriaHidden,
    /// Much text in `<noscript>`.
    NoScript,
    /// Closed until a visitor opens it: menus, tabs, accordions. Honest; searched with less weight.
    Folded,
}

/// How much a page looks made for search engines instead of people (S1), and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spam {
    /// 0 (nothing) to 100 (certain).
    pub score: u8,
    /// What speaks for it, the strongest first.
    pub reasons: Vec<SpamReason>,
}

/// One thing that speaks for spam.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpamReason {
    /// What.
    pub kind: SpamKind,
    /// How strongly, 0 to 100.
    pub weight: u8,
    /// The word, or the text's beginning, that shows it; may be empty.
    pub evidence: String,
}

/// What speaks for spam.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SpamKind {
    /// The same words or sentences over and over.
    Repetition,
    /// A word far more frequent than in any honest text.
    Frequency,
    /// Long lists of search words without sentences.
    KeywordList,
    /// The same in the title.
    StuffedTitle,
    /// Hidden text that is not folded.
    HiddenText,
}

/// Returns the name of a variant as people and programs read it: `SoftMissing` is `soft-missing`.
pub fn kebab_case(variant: &impl std::fmt::Debug) -> String {
    let mut out = String::new();
    for letter in format!("{variant:?}").chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}
