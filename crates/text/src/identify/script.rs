//! Scripts that tell the language, or nearly: no statistics needed.

use crate::language::Language;

/// Letters of a script in which a few letters of another may be a foreign name.
const SHARE: u32 = 2;
/// With fewer Han characters than this a Japanese text may do without kana.
const FEW_HAN: u32 = 24;

/// Returns the language of a sample whose script has one language of ours, or two that letters
/// tell apart; `None` if most of its letters are of a script with many.
pub(super) fn language(sample: &str, declared: Option<Language>) -> Option<Language> {
    let mut counts = [0_u32; SCRIPTS.len()];
    let (mut kana, mut han, mut others) = (0_u32, 0_u32, 0_u32);
    let mut yiddish = 0_u32;
    let mut last = 0;
    for character in sample.chars() {
        match character {
            // Latin, Cyrillic and their like; most texts, decided elsewhere.
            '\0'..='\u{02FF}' => others += u32::from(character.is_ascii_alphabetic()),
            '\u{3041}'..='\u{30FF}' => kana += 1,
            '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}' => han += 1,
            _ => {
                let holds = |place: usize| SCRIPTS[place].2.contains(&character);
                if !holds(last) {
                    match (0..SCRIPTS.len()).find(|place| holds(*place)) {
                        Some(place) => last = place,
                        None => {
                            others += u32::from(character.is_alphabetic());
                            continue;
                        }
                    }
                }
                counts[last] += 1;
                yiddish += u32::from(matches!(
                    character,
                    '\u{05F0}'..='\u{05F2}' | '\u{05B7}' | '\u{05B8}'
                ));
            }
        }
    }
    let place = (0..SCRIPTS.len()).max_by_key(|place| counts[*place])?;
    // A Chinese or Japanese character says as much as several letters.
    let east = SHARE * (kana + han);
    if east > 0 && east >= others && east >= counts[place] {
        return east_asian(kana, han, declared);
    }
    if counts[place] == 0 || counts[place] < SHARE * others {
        return None;
    }
    let code = match SCRIPTS[place].0 {
        // Signs and vowel letters that Hebrew does not have.
        "he" if yiddish * 20 > counts[place] => "yi",
        "he" if declared.is_some_and(|declared| declared.code() == "yi") => "yi",
        code => code,
    };
    Language::parse(code)
}

fn east_asian(kana: u32, han: u32, declared: Option<Language>) -> Option<Language> {
    let is_japanese = declared.is_some_and(|declared| declared.code() == "ja");
    // Chinese pages quote a Japanese word now and then; Japanese ones are full of kana.
    let code =
        if kana * 10 > han || is_japanese && (kana > 0 || han < FEW_HAN) { "ja" } else { "zh" };
    Language::parse(code)
}

/// Returns whether a script tells the language.
pub(crate) fn has_own_script(language: Language) -> bool {
    let code = language.code();
    matches!(code, "zh" | "ja" | "yi") || SCRIPTS.iter().any(|(other, ..)| *other == code)
}

/// Scripts with one language of ours, by their range of characters.
const SCRIPTS: [(&str, &str, std::ops::RangeInclusive<char>); 20] = [
    ("ko", "Hangul", '\u{AC00}'..='\u{D7A3}'),
    ("th", "Thai", '\u{0E00}'..='\u{0E7F}'),
    ("lo", "Lao", '\u{0E80}'..='\u{0EFF}'),
    ("my", "Burmese", '\u{1000}'..='\u{109F}'),
    ("km", "Khmer", '\u{1780}'..='\u{17FF}'),
    ("el", "Greek", '\u{0370}'..='\u{03FF}'),
    ("el", "Greek with older marks", '\u{1F00}'..='\u{1FFF}'),
    ("he", "Hebrew", '\u{0590}'..='\u{05FF}'),
    ("hy", "Armenian", '\u{0530}'..='\u{058F}'),
    ("ka", "Georgian", '\u{10A0}'..='\u{10FF}'),
    ("am", "Ethiopic", '\u{1200}'..='\u{137F}'),
    ("bn", "Bengali", '\u{0980}'..='\u{09FF}'),
    ("pa", "Gurmukhi", '\u{0A00}'..='\u{0A7F}'),
    ("gu", "Gujarati", '\u{0A80}'..='\u{0AFF}'),
    ("or", "Oriya", '\u{0B00}'..='\u{0B7F}'),
    ("ta", "Tamil", '\u{0B80}'..='\u{0BFF}'),
    ("te", "Telugu", '\u{0C00}'..='\u{0C7F}'),
    ("kn", "Kannada", '\u{0C80}'..='\u{0CFF}'),
    ("ml", "Malayalam", '\u{0D00}'..='\u{0D7F}'),
    ("si", "Sinhala", '\u{0D80}'..='\u{0DFF}'),
];
