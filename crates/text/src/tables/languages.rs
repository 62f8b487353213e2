//! The languages known, one line each, in order of their codes.
//!
//! `own` lists letters with marks that the language counts as letters of their own: they are
//! not folded to the bare letter, because `får` (sheep) and `far` (father) are two words.

use frostem::Algorithm;
use whatlang::Lang;

use crate::language::{Profile, Segmentation};

const fn row(
    code: &'static str,
    name: &'static str,
    detected: Option<Lang>,
    stemmer: Option<Algorithm>,
    segmentation: Segmentation,
    own: &'static str,
) -> Profile {
    Profile { code, name, detected, stemmer, segmentation, own }
}

const SPACES: Segmentation = Segmentation::Spaces;
const DICTIONARY: Segmentation = Segmentation::Dictionary;

/// Sorted by code; [`crate::Language`] is a place in it.
#[rustfmt::skip]
pub(crate) const LANGUAGES: [Profile; 77] = [
    row("af", "Afrikaans", Some(Lang::Afr), None, SPACES, ""),
    row("ak", "Akan", Some(Lang::Aka), None, SPACES, ""),
    row("am", "Amharic", Some(Lang::Amh), None, SPACES, ""),
    row("ar", "Arabic", Some(Lang::Ara), Some(Algorithm::Arabic), SPACES, ""),
    row("az", "Azerbaijani", Some(Lang::Aze), None, SPACES, "çğıöşüə"),
    row("be", "Belarusian", Some(Lang::Bel), None, SPACES, ""),
    row("bg", "Bulgarian", Some(Lang::Bul), None, SPACES, ""),
    row("bn", "Bengali", Some(Lang::Ben), None, SPACES, ""),
    row("ca", "Catalan", Some(Lang::Cat), Some(Algorithm::Catalan), SPACES, ""),
    row("cs", "Czech", Some(Lang::Ces), Some(Algorithm::Czech), SPACES, ""),
    row("cy", "Welsh", Some(Lang::Cym), None, SPACES, ""),
    row("da", "Danish", Some(Lang::Dan), Some(Algorithm::Danish), SPACES, "æøå"),
    row("de", "German", Some(Lang::Deu), Some(Algorithm::German), SPACES, ""),
    row("el", "Greek", Some(Lang::Ell), Some(Algorithm::Greek), SPACES, ""),
    row("en", "English", Some(Lang::Eng), Some(Algorithm::English), SPACES, ""),
    row("eo", "Esperanto", Some(Lang::Epo), Some(Algorithm::Esperanto), SPACES, ""),
    row("es", "Spanish", Some(Lang::Spa), Some(Algorithm::Spanish), SPACES, "ñ"),
    row("et", "Estonian", Some(Lang::Est), Some(Algorithm::Estonian), SPACES, "äöõü"),
    row("eu", "Basque", None, Some(Algorithm::Basque), SPACES, "ñ"),
    row("fa", "Persian", Some(Lang::Pes), Some(Algorithm::Persian), SPACES, ""),
    row("fi", "Finnish", Some(Lang::Fin), Some(Algorithm::Finnish), SPACES, "åäö"),
    row("fr", "French", Some(Lang::Fra), Some(Algorithm::French), SPACES, ""),
    row("ga", "Irish", None, Some(Algorithm::Irish), SPACES, ""),
    row("gl", "Galician", None, None, SPACES, "ñ"),
    row("gu", "Gujarati", Some(Lang::Guj), None, SPACES, ""),
    row("he", "Hebrew", Some(Lang::Heb), None, SPACES, ""),
    row("hi", "Hindi", Some(Lang::Hin), Some(Algorithm::Hindi), SPACES, ""),
    row("hr", "Croatian", Some(Lang::Hrv), Some(Algorithm::Serbian), SPACES, ""),
    row("hu", "Hungarian", Some(Lang::Hun), Some(Algorithm::Hungarian), SPACES, "öőüű"),
    row("hy", "Armenian", Some(Lang::Hye), Some(Algorithm::Armenian), SPACES, ""),
    row("id", "Indonesian", Some(Lang::Ind), Some(Algorithm::Indonesian), SPACES, ""),
    row("is", "Icelandic", None, None, SPACES, "æöþð"),
    row("it", "Italian", Some(Lang::Ita), Some(Algorithm::Italian), SPACES, ""),
    row("ja", "Japanese", Some(Lang::Jpn), None, DICTIONARY, ""),
    row("jv", "Javanese", Some(Lang::Jav), None, SPACES, ""),
    row("ka", "Georgian", Some(Lang::Kat), None, SPACES, ""),
    row("km", "Khmer", Some(Lang::Khm), None, DICTIONARY, ""),
    row("kn", "Kannada", Some(Lang::Kan), None, SPACES, ""),
    row("ko", "Korean", Some(Lang::Kor), None, SPACES, ""),
    row("la", "Latin", Some(Lang::Lat), None, SPACES, ""),
    row("lo", "Lao", None, None, DICTIONARY, ""),
    row("lt", "Lithuanian", Some(Lang::Lit), Some(Algorithm::Lithuanian), SPACES, ""),
    row("lv", "Latvian", Some(Lang::Lav), None, SPACES, ""),
    row("mk", "Macedonian", Some(Lang::Mkd), None, SPACES, ""),
    row("ml", "Malayalam", Some(Lang::Mal), None, SPACES, ""),
    row("mr", "Marathi", Some(Lang::Mar), None, SPACES, ""),
    row("ms", "Malay", None, None, SPACES, ""),
    row("my", "Burmese", Some(Lang::Mya), None, DICTIONARY, ""),
    row("ne", "Nepali", Some(Lang::Nep), Some(Algorithm::Nepali), SPACES, ""),
    row("nl", "Dutch", Some(Lang::Nld), Some(Algorithm::Dutch), SPACES, ""),
    row("no", "Norwegian", Some(Lang::Nob), Some(Algorithm::Norwegian), SPACES, "æøå"),
    row("or", "Oriya", Some(Lang::Ori), None, SPACES, ""),
    row("pa", "Punjabi", Some(Lang::Pan), None, SPACES, ""),
    row("pl", "Polish", Some(Lang::Pol), Some(Algorithm::Polish), SPACES, ""),
    row("pt", "Portuguese", Some(Lang::Por), Some(Algorithm::Portuguese), SPACES, ""),
    row("ro", "Romanian", Some(Lang::Ron), Some(Algorithm::Romanian), SPACES, ""),
    row("ru", "Russian", Some(Lang::Rus), Some(Algorithm::Russian), SPACES, ""),
    row("si", "Sinhala", Some(Lang::Sin), None, SPACES, ""),
    row("sk", "Slovak", Some(Lang::Slk), None, SPACES, ""),
    row("sl", "Slovene", Some(Lang::Slv), None, SPACES, ""),
    row("sn", "Shona", Some(Lang::Sna), None, SPACES, ""),
    row("sr", "Serbian", Some(Lang::Srp), Some(Algorithm::Serbian), SPACES, ""),
    row("st", "Sesotho", None, Some(Algorithm::Sesotho), SPACES, ""),
    row("sv", "Swedish", Some(Lang::Swe), Some(Algorithm::Swedish), SPACES, "åäö"),
    row("ta", "Tamil", Some(Lang::Tam), Some(Algorithm::Tamil), SPACES, ""),
    row("te", "Telugu", Some(Lang::Tel), None, SPACES, ""),
    row("th", "Thai", Some(Lang::Tha), None, DICTIONARY, ""),
    row("tk", "Turkmen", Some(Lang::Tuk), None, SPACES, ""),
    row("tl", "Tagalog", Some(Lang::Tgl), None, SPACES, ""),
    row("tr", "Turkish", Some(Lang::Tur), Some(Algorithm::Turkish), SPACES, "çğıöşü"),
    row("uk", "Ukrainian", Some(Lang::Ukr), None, SPACES, ""),
    row("ur", "Urdu", Some(Lang::Urd), None, SPACES, ""),
    row("uz", "Uzbek", Some(Lang::Uzb), None, SPACES, ""),
    row("vi", "Vietnamese", Some(Lang::Vie), None, SPACES, "ăâđêôơư"),
    row("yi", "Yiddish", Some(Lang::Yid), Some(Algorithm::Yiddish), SPACES, ""),
    row("zh", "Chinese", Some(Lang::Cmn), None, DICTIONARY, ""),
    row("zu", "Zulu", Some(Lang::Zul), None, SPACES, ""),
];
