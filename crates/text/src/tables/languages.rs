//! The languages known, one line each, in order of their codes.
//!
//! `own` lists letters with marks that the language counts as letters of their own: they are
//! not folded to the bare letter, because `får` (sheep) and `far` (father) are two words.

use frostem::Algorithm;
use whatlang::Lang;

use crate::language::{Folding, Numbers, Profile, Segmentation};

const fn row(
    code: &'static str,
    name: &'static str,
    detected: Option<Lang>,
    stemmer: Option<Algorithm>,
    segmentation: Segmentation,
    own: &'static str,
) -> Profile {
    Profile {
        code,
        name,
        detected,
        stemmer,
        segmentation,
        own,
        numbers: Numbers::Point,
        folding: Folding::Marks,
        elisions: &[],
    }
}

const SPACES: Segmentation = Segmentation::Spaces;
const DICTIONARY: Segmentation = Segmentation::Dictionary;

/// Words that lose their vowel before another one.
#[rustfmt::skip]
const FRENCH: &[&str] = &[
    "l", "d", "c", "j", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu",
];
#[rustfmt::skip]
const ITALIAN: &[&str] = &[
    "l", "un", "d", "c", "m", "s", "t", "v", "all", "dall", "dell", "nell", "sull", "coll", "quell",
    "quest", "dov", "com", "gl", "agl", "dagl", "degl", "negl", "sugl", "sant", "bell",
];
const CATALAN: &[&str] = &["l", "d", "s", "n", "m", "t"];

/// Sorted by code; [`crate::Language`] is a place in it.
#[rustfmt::skip]
pub(crate) const LANGUAGES: [Profile; 77] = [
    row("af", "Afrikaans", Some(Lang::Afr), None, SPACES, "").comma(),
    row("ak", "Akan", Some(Lang::Aka), None, SPACES, ""),
    row("am", "Amharic", Some(Lang::Amh), None, SPACES, ""),
    row("ar", "Arabic", Some(Lang::Ara), Some(Algorithm::Arabic), SPACES, "").folding(Folding::Arabic),
    row("az", "Azerbaijani", Some(Lang::Aze), None, SPACES, "çğıöşüə").comma().folding(Folding::Turkic),
    row("be", "Belarusian", Some(Lang::Bel), None, SPACES, "").comma(),
    row("bg", "Bulgarian", Some(Lang::Bul), None, SPACES, "").comma(),
    row("bn", "Bengali", Some(Lang::Ben), None, SPACES, ""),
    row("ca", "Catalan", Some(Lang::Cat), Some(Algorithm::Catalan), SPACES, "").comma().elides(CATALAN),
    row("cs", "Czech", Some(Lang::Ces), Some(Algorithm::Czech), SPACES, "").comma(),
    row("cy", "Welsh", Some(Lang::Cym), None, SPACES, ""),
    row("da", "Danish", Some(Lang::Dan), Some(Algorithm::Danish), SPACES, "æøå").comma().folding(Folding::Danish),
    row("de", "German", Some(Lang::Deu), Some(Algorithm::German), SPACES, "").comma(),
    row("el", "Greek", Some(Lang::Ell), Some(Algorithm::Greek), SPACES, "").comma(),
    row("en", "English", Some(Lang::Eng), Some(Algorithm::English), SPACES, ""),
    row("eo", "Esperanto", Some(Lang::Epo), Some(Algorithm::Esperanto), SPACES, ""),
    row("es", "Spanish", Some(Lang::Spa), Some(Algorithm::Spanish), SPACES, "ñ").comma(),
    row("et", "Estonian", Some(Lang::Est), Some(Algorithm::Estonian), SPACES, "äöõü").comma(),
    row("eu", "Basque", None, Some(Algorithm::Basque), SPACES, "ñ").comma(),
    row("fa", "Persian", Some(Lang::Pes), Some(Algorithm::Persian), SPACES, "").folding(Folding::Persian),
    row("fi", "Finnish", Some(Lang::Fin), Some(Algorithm::Finnish), SPACES, "åäö").comma().folding(Folding::Swedish),
    row("fr", "French", Some(Lang::Fra), Some(Algorithm::French), SPACES, "").comma().elides(FRENCH),
    row("ga", "Irish", None, Some(Algorithm::Irish), SPACES, ""),
    row("gl", "Galician", None, None, SPACES, "ñ").comma(),
    row("gu", "Gujarati", Some(Lang::Guj), None, SPACES, ""),
    row("he", "Hebrew", Some(Lang::Heb), None, SPACES, ""),
    row("hi", "Hindi", Some(Lang::Hin), Some(Algorithm::Hindi), SPACES, ""),
    row("hr", "Croatian", Some(Lang::Hrv), Some(Algorithm::Serbian), SPACES, "").comma(),
    row("hu", "Hungarian", Some(Lang::Hun), Some(Algorithm::Hungarian), SPACES, "öőüű").comma(),
    row("hy", "Armenian", Some(Lang::Hye), Some(Algorithm::Armenian), SPACES, "").comma(),
    row("id", "Indonesian", Some(Lang::Ind), Some(Algorithm::Indonesian), SPACES, "").comma(),
    row("is", "Icelandic", None, None, SPACES, "æöþð").comma(),
    row("it", "Italian", Some(Lang::Ita), Some(Algorithm::Italian), SPACES, "").comma().elides(ITALIAN),
    row("ja", "Japanese", Some(Lang::Jpn), None, DICTIONARY, ""),
    row("jv", "Javanese", Some(Lang::Jav), None, SPACES, "").comma(),
    row("ka", "Georgian", Some(Lang::Kat), None, SPACES, "").comma(),
    row("km", "Khmer", Some(Lang::Khm), None, DICTIONARY, ""),
    row("kn", "Kannada", Some(Lang::Kan), None, SPACES, ""),
    row("ko", "Korean", Some(Lang::Kor), None, SPACES, "").folding(Folding::Korean),
    row("la", "Latin", Some(Lang::Lat), None, SPACES, ""),
    row("lo", "Lao", None, None, DICTIONARY, ""),
    row("lt", "Lithuanian", Some(Lang::Lit), Some(Algorithm::Lithuanian), SPACES, "").comma(),
    row("lv", "Latvian", Some(Lang::Lav), None, SPACES, "").comma(),
    row("mk", "Macedonian", Some(Lang::Mkd), None, SPACES, "").comma(),
    row("ml", "Malayalam", Some(Lang::Mal), None, SPACES, ""),
    row("mr", "Marathi", Some(Lang::Mar), None, SPACES, ""),
    row("ms", "Malay", None, None, SPACES, ""),
    row("my", "Burmese", Some(Lang::Mya), None, DICTIONARY, ""),
    row("ne", "Nepali", Some(Lang::Nep), Some(Algorithm::Nepali), SPACES, ""),
    row("nl", "Dutch", Some(Lang::Nld), Some(Algorithm::Dutch), SPACES, "").comma(),
    row("no", "Norwegian", Some(Lang::Nob), Some(Algorithm::Norwegian), SPACES, "æøå").comma().folding(Folding::Danish),
    row("or", "Oriya", Some(Lang::Ori), None, SPACES, ""),
    row("pa", "Punjabi", Some(Lang::Pan), None, SPACES, ""),
    row("pl", "Polish", Some(Lang::Pol), Some(Algorithm::Polish), SPACES, "").comma(),
    row("pt", "Portuguese", Some(Lang::Por), Some(Algorithm::Portuguese), SPACES, "").comma(),
    row("ro", "Romanian", Some(Lang::Ron), Some(Algorithm::Romanian), SPACES, "").comma(),
    row("ru", "Russian", Some(Lang::Rus), Some(Algorithm::Russian), SPACES, "").comma(),
    row("si", "Sinhala", Some(Lang::Sin), None, SPACES, ""),
    row("sk", "Slovak", Some(Lang::Slk), None, SPACES, "").comma(),
    row("sl", "Slovene", Some(Lang::Slv), None, SPACES, "").comma(),
    row("sn", "Shona", Some(Lang::Sna), None, SPACES, ""),
    row("sr", "Serbian", Some(Lang::Srp), Some(Algorithm::Serbian), SPACES, "").comma(),
    row("st", "Sesotho", None, Some(Algorithm::Sesotho), SPACES, ""),
    row("sv", "Swedish", Some(Lang::Swe), Some(Algorithm::Swedish), SPACES, "åäö").comma().folding(Folding::Swedish),
    row("ta", "Tamil", Some(Lang::Tam), Some(Algorithm::Tamil), SPACES, ""),
    row("te", "Telugu", Some(Lang::Tel), None, SPACES, ""),
    row("th", "Thai", Some(Lang::Tha), None, DICTIONARY, ""),
    row("tk", "Turkmen", Some(Lang::Tuk), None, SPACES, "").comma(),
    row("tl", "Tagalog", Some(Lang::Tgl), None, SPACES, ""),
    row("tr", "Turkish", Some(Lang::Tur), Some(Algorithm::Turkish), SPACES, "çğıöşü").comma().folding(Folding::Turkic),
    row("uk", "Ukrainian", Some(Lang::Ukr), None, SPACES, "").comma(),
    row("ur", "Urdu", Some(Lang::Urd), None, SPACES, "").folding(Folding::Persian),
    row("uz", "Uzbek", Some(Lang::Uzb), None, SPACES, "").comma(),
    row("vi", "Vietnamese", Some(Lang::Vie), None, SPACES, "ăâđêôơư").comma(),
    row("yi", "Yiddish", Some(Lang::Yid), Some(Algorithm::Yiddish), SPACES, ""),
    row("zh", "Chinese", Some(Lang::Cmn), None, DICTIONARY, ""),
    row("zu", "Zulu", Some(Lang::Zul), None, SPACES, ""),
];
