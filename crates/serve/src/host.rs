//! Names of hosts as people write them, unless they could be taken for others.
//!
//! `xn--` names are shown in their own letters when every label keeps to one script (or to one of
//! the mixtures that a language really uses) and is not made of letters that all look Latin. In
//! every other case the ASCII form is shown, which cannot be mistaken.

/// Returns the name to show for a host in its ASCII form.
pub(crate) fn shown(host: &str) -> String {
    if !host.split('.').any(|label| label.starts_with("xn--")) {
        return host.to_owned();
    }
    let (name, result) = idna::domain_to_unicode(host);
    if result.is_ok() && name.split('.').all(is_plain) { name } else { host.to_owned() }
}

/// The scripts that are told apart; a letter of any other makes a label strange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    Devanagari,
    Bengali,
    Tamil,
    Thai,
    Georgian,
    Hangul,
    Kana,
    Han,
}

/// Cyrillic letters that look like Latin ones.
const LOOK_LATIN: &str = "авеикмнорстухѕіјһԁԛԝӏѵь";

/// Returns whether a label is written in one script and cannot be taken for Latin.
fn is_plain(label: &str) -> bool {
    let mut scripts = Vec::new();
    for letter in label.chars().filter(|letter| !matches!(letter, '0'..='9' | '-')) {
        match script(letter) {
            Some(script) if scripts.contains(&script) => {}
            Some(script) => scripts.push(script),
            None if is_mark(letter) && !scripts.is_empty() => {}
            None => return false,
        }
    }
    let is_among = |known: &[Script]| scripts.iter().all(|script| known.contains(script));
    match scripts.as_slice() {
        [] | [Script::Latin] => true,
        [Script::Cyrillic] => !label
            .chars()
            .all(|letter| LOOK_LATIN.contains(letter) || matches!(letter, '0'..='9' | '-')),
        [_] => true,
        _ => {
            is_among(&[Script::Latin, Script::Han, Script::Kana])
                || is_among(&[Script::Latin, Script::Han, Script::Hangul])
        }
    }
}

/// Marks that belong to the letter before them.
fn is_mark(letter: char) -> bool {
    matches!(letter, '・' | 'ー' | '\u{3099}' | '\u{309a}')
}

fn script(letter: char) -> Option<Script> {
    Some(match letter {
        'a'..='z' | 'ß'..='ö' | 'ø'..='ɏ' | 'Ḁ'..='ỿ' => Script::Latin,
        'ͱ' | 'ͳ' | 'ͷ' | 'ΐ' | 'ά'..='ώ' | 'ἀ'..='ῼ' => Script::Greek,
        'а'..='ԯ' => Script::Cyrillic,
        'ա'..='ֈ' => Script::Armenian,
        '\u{591}'..='\u{5f4}' => Script::Hebrew,
        '\u{620}'..='\u{669}' | '\u{66e}'..='\u{6ff}' | '\u{750}'..='\u{77f}' => Script::Arabic,
        '\u{900}'..='\u{97f}' => Script::Devanagari,
        '\u{980}'..='\u{9fe}' => Script::Bengali,
        '\u{b82}'..='\u{bfa}' => Script::Tamil,
        '\u{e01}'..='\u{e4e}' => Script::Thai,
        'ა'..='ჿ' => Script::Georgian,
        '가'..='힣' => Script::Hangul,
        'ぁ'..='ゖ' | 'ァ'..='ヺ' => Script::Kana,
        '々' | '㐀'..='䶿' | '一'..='鿿' => Script::Han,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, is_shown: bool) {
        let (ascii, name) = (idna::domain_to_ascii(name).unwrap(), name.to_owned());
        assert_eq!(shown(&ascii), if is_shown { name } else { ascii });
    }

    #[test]
    fn names_are_shown_in_their_own_letters() {
        for name in
            ["a.example", "bücher.example", "ягуар.example", "日本語テスト.jp", "한국.example"]
        {
            check(name, true);
        }
        for name in ["例え.テスト", "ελλάδα.example", "مثال.example", "भारत.example", "rødgrød.dk"]
        {
            check(name, true);
        }
    }

    #[test]
    fn url_13_names_that_could_be_taken_for_others_are_not() {
        // Cyrillic а in Latin; all Cyrillic that looks Latin; Greek and Latin; signs.
        for name in
            ["pаypal.example", "аррӏе.example", "gοogle.example", "a⁄b.example", "☃.example"]
        {
            if idna::domain_to_ascii(name).is_ok() {
                check(name, false);
            }
        }
        assert_eq!(shown("xn--a.example"), "xn--a.example");
        assert_eq!(shown("127.0.0.1"), "127.0.0.1");
    }
}
