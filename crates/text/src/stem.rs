//! Stems of words: Snowball's algorithms, in the edition that its vocabularies are of (T3).
//!
//! The algorithms are those of Snowball 3.1. The published vocabularies with their stems, against
//! which ours are held, are of edition 3.0, and of the twelve that we are held to Finnish alone
//! differs between the two, by one rule ([`Stemmer::stem`]). We keep to the vocabularies: they
//! are what others can check.

use std::borrow::Cow;

use frostem::Algorithm;

/// Gives words of one language their stems. Small and cheap to copy.
#[derive(Clone, Copy)]
pub struct Stemmer {
    snowball: frostem::Stemmer,
    is_finnish: bool,
    /// Whether stems begin as their words do: so it is where nothing but endings is taken off. Held
    /// against the published vocabularies.
    keeps_beginnings: bool,
}

impl Stemmer {
    pub(crate) fn new(algorithm: Algorithm) -> Self {
        let is_finnish = algorithm == Algorithm::Finnish;
        let keeps_beginnings = matches!(
            algorithm,
            Algorithm::English
                | Algorithm::German
                | Algorithm::French
                | Algorithm::Spanish
                | Algorithm::Italian
                | Algorithm::Portuguese
                | Algorithm::Danish
                | Algorithm::Norwegian
                | Algorithm::Swedish
                | Algorithm::Finnish
        );
        Self { snowball: frostem::Stemmer::new(algorithm), is_finnish, keeps_beginnings }
    }

    /// Returns whether the stem of a word of unmarked letters is certain to begin with the same one.
    pub(crate) fn keeps_beginning(&self, word: &str) -> bool {
        // `aepfel` may be read as `äpfel`, `aal` as `ål`.
        let is_one_of = |letters: &[u8], place: usize| {
            let letter = word.as_bytes().get(place).map(u8::to_ascii_lowercase);
            letter.is_some_and(|letter| letters.contains(&letter))
        };
        let may_be_marked = is_one_of(b"aou", 0) && is_one_of(b"ae", 1);
        self.keeps_beginnings && !may_be_marked
    }

    /// Returns the stem of a word in lower case, with the marks that the algorithm leaves on it.
    ///
    /// Finnish: a word whose case ending would be `h`, vowel, `n` loses it only behind the same
    /// vowel (`aikoihin`: `aiko`). Where another letter stands before it, edition 3.0 leaves the word
    /// as it is and 3.1 takes the `n` (`bachin`); and 3.1 knows `-uhun`, of which 3.0 takes the `n`.
    pub fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        if self.is_finnish
            && let Some(stem) = finnish(word)
        {
            return Cow::Borrowed(stem);
        }
        self.snowball.stem(word)
    }
}

/// Returns the stem of a Finnish word to which the editions give different ones.
fn finnish(word: &str) -> Option<&str> {
    // Nothing below turns a word without an `h` into one; most words end here.
    if !word.contains('h') {
        return None;
    }
    let (first, second) = regions(word);
    let word = possessive(particle(word, first, second), first);
    let mut ending = word.char_indices().rev();
    let (last, n) = ending.next()?;
    let (_, vowel) = ending.next()?;
    let (start, h) = ending.next()?;
    let (_, before) = ending.next()?;
    if n != 'n' || h != 'h' || start < first {
        return None;
    }
    // What is left ends in `n`, or in `hu`: no later step of the algorithm takes more of it.
    match vowel {
        'a' | 'e' | 'i' | 'o' | 'ä' | 'ö' if before != vowel => Some(word),
        'u' if before == 'u' => Some(&word[..last]),
        _ => None,
    }
}

/// Returns where Snowball's regions begin: behind the first consonant that follows a vowel, and
/// behind the next such.
fn regions(word: &str) -> (usize, usize) {
    let mut places = [word.len(); 2];
    let mut found = 0;
    let mut is_behind_vowel = false;
    for (place, letter) in word.char_indices() {
        let is_vowel = is_vowel(letter);
        if is_behind_vowel && !is_vowel {
            places[found] = place + letter.len_utf8();
            found += 1;
            if found == places.len() {
                break;
            }
        }
        is_behind_vowel = is_vowel;
    }
    (places[0], places[1])
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'ä' | 'ö')
}

/// Returns what stands before the longest of some endings, and the ending, if that is in a region.
fn split<'a>(word: &'a str, endings: &[&'a str], region: usize) -> Option<(&'a str, &'a str)> {
    let fits = |ending: &&&str| {
        word.ends_with(**ending) && word.len().saturating_sub(ending.len()) >= region
    };
    let ending = endings.iter().filter(fits).max_by_key(|ending| ending.len())?;
    Some((&word[..word.len() - ending.len()], ending))
}

/// Takes a particle off: Snowball's first step.
fn particle(word: &str, first: usize, second: usize) -> &str {
    const PARTICLES: [&str; 10] =
        ["kaan", "kään", "kin", "han", "hän", "sti", "ko", "kö", "pa", "pä"];
    let Some((rest, ending)) = split(word, &PARTICLES, first) else { return word };
    let goes = if ending == "sti" {
        rest.len() >= second
    } else {
        rest.ends_with(|last: char| is_vowel(last) || matches!(last, 'n' | 't'))
    };
    if goes { rest } else { word }
}

/// Takes a possessive ending off: Snowball's second step. That `-kseni` becomes `-ksi` is left
/// out: such a word has no ending that is asked for here.
fn possessive(word: &str, first: usize) -> &str {
    const ENDINGS: [&str; 9] = ["nsa", "nsä", "mme", "nne", "ni", "si", "an", "än", "en"];
    let Some((rest, ending)) = split(word, &ENDINGS, first) else { return word };
    let follows = |cases: &[&str]| cases.iter().any(|case| rest.ends_with(case));
    let goes = match ending {
        "si" => !rest.ends_with('k'),
        "an" => follows(&["ta", "ssa", "lla", "na"]),
        "än" => follows(&["tä", "ssä", "llä", "nä"]),
        "en" => follows(&["lle", "ine"]),
        _ => true,
    };
    if goes { rest } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, expected: &str) {
        assert_eq!(Stemmer::new(Algorithm::Finnish).stem(word), expected, "{word}");
    }

    #[test]
    fn finnish_endings_behind_an_h_fall_only_behind_their_own_vowel() {
        check("bachin", "bachin");
        check("ipswichin", "ipswichin");
        check("bachinkin", "bachin");
        check("aikoihin", "aiko");
        check("syyskuuhun", "syyskuuhu");
    }

    #[test]
    fn finnish_words_without_such_an_ending_are_left_to_snowball() {
        for word in ["", "h", "hän", "hn", "talossa", "vanha", "vihannes", "maahansa", "hhhhn"] {
            let snowball = frostem::Stemmer::new(Algorithm::Finnish);
            check(word, &snowball.stem(word));
        }
    }
}
