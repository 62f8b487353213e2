//! How easily one word is typed for another: edits between letters, each with its price.
//!
//! A slip that fingers make often is cheaper: two letters swapped, a letter doubled or not, the
//! key beside the right one, a vowel for a vowel. The first letter is seldom wrong.

/// What an ordinary slip costs: a letter too many, too few, or another one.
const SLIP: f32 = 1.0;
/// Two letters swapped.
const SWAP: f32 = 0.7;
/// A letter typed twice, or once instead of twice.
const DOUBLE: f32 = 0.6;
/// A key beside the right one.
const NEIGHBOUR: f32 = 0.75;
/// A vowel for another.
const VOWEL: f32 = 0.8;
/// A mark more or less on the same letter.
const MARK: f32 = 0.3;
/// How many times as much a slip costs in the first letter.
const FIRST: f32 = 1.6;
/// Longest word that is compared, in letters.
const MOST_LETTERS: usize = 32;

/// Returns what it costs to have typed `typed` for `meant`; infinite for words
/// that are too long.
///
/// Each letter takes part in one edit at most, so that this is the restricted distance of Damerau
/// and Levenshtein with prices. Cost: the product of the lengths.
pub(crate) fn cost(typed: &str, meant: &str) -> f32 {
    let typed: Vec<char> = typed.chars().take(MOST_LETTERS + 1).collect();
    let meant: Vec<char> = meant.chars().take(MOST_LETTERS + 1).collect();
    if typed.len() > MOST_LETTERS || meant.len() > MOST_LETTERS {
        return f32::INFINITY;
    }
    let width = meant.len() + 1;
    let mut costs = vec![0.0_f32; (typed.len() + 1) * width];
    for i in 0..=typed.len() {
        for j in 0..=meant.len() {
            let mut best = if i + j == 0 { 0.0 } else { f32::INFINITY };
            let at = |i: usize, j: usize| costs[i * width + j];
            if i > 0 {
                best = best.min(at(i - 1, j) + single(&typed, i - 1) * priced(i));
            }
            if j > 0 {
                best = best.min(at(i, j - 1) + single(&meant, j - 1) * priced(j));
            }
            if i > 0 && j > 0 {
                let other = other(typed[i - 1], meant[j - 1]);
                best = best.min(at(i - 1, j - 1) + other * priced(i.min(j)));
            }
            if i > 1 && j > 1 && typed[i - 1] == meant[j - 2] && typed[i - 2] == meant[j - 1] {
                best = best.min(at(i - 2, j - 2) + SWAP);
            }
            costs[i * width + j] = best;
        }
    }
    costs[typed.len() * width + meant.len()]
}

/// Returns how many times as much a slip costs in the letter of this number.
fn priced(number: usize) -> f32 {
    if number == 1 { FIRST } else { 1.0 }
}

/// Returns what a letter costs that the other word does not have.
fn single(word: &[char], place: usize) -> f32 {
    let is_double = place > 0 && word[place - 1] == word[place];
    if is_double { DOUBLE } else { SLIP }
}

/// Returns what one letter for another costs.
fn other(typed: char, meant: char) -> f32 {
    if typed == meant {
        return 0.0;
    }
    let (bare_typed, bare_meant) = (bare(typed), bare(meant));
    if bare_typed == bare_meant {
        MARK
    } else if are_neighbours(bare_typed, bare_meant) {
        NEIGHBOUR
    } else if is_vowel(bare_typed) && is_vowel(bare_meant) {
        VOWEL
    } else {
        SLIP
    }
}

/// Returns a letter of the Latin alphabet without its mark.
fn bare(letter: char) -> char {
    match letter {
        'à'..='å' => 'a',
        'ç' => 'c',
        'è'..='ë' => 'e',
        'ì'..='ï' => 'i',
        'ñ' => 'n',
        'ò'..='ö' | 'ø' => 'o',
        'ù'..='ü' => 'u',
        'ý' | 'ÿ' => 'y',
        letter => letter,
    }
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

/// The keys as most keyboards for Latin letters have them; each row stands a little further to
/// the right than the one above.
const ROWS: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/// Returns whether two letters lie side by side on the keyboard.
fn are_neighbours(one: char, other: char) -> bool {
    let place = |letter: char| {
        let row = ROWS.iter().position(|keys| keys.contains(letter))?;
        Some((row, ROWS[row].find(letter)?))
    };
    let (Some((row, column)), Some((other_row, other_column))) = (place(one), place(other)) else {
        return false;
    };
    match other_row.abs_diff(row) {
        0 => column.abs_diff(other_column) == 1,
        1 => {
            let (upper, lower) =
                if row < other_row { (column, other_column) } else { (other_column, column) };
            upper == lower || upper == lower + 1
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, meant: &str, expected: f32) {
        let found = cost(typed, meant);
        assert!((found - expected).abs() < 1e-5, "{typed} {meant}: {found}");
    }

    #[test]
    fn slips_have_their_prices() {
        check("jaguar", "jaguar", 0.0);
        check("jagaur", "jaguar", SWAP);
        check("jagguar", "jaguar", DOUBLE);
        check("comittee", "committee", DOUBLE);
        check("jaguqr", "jaguar", NEIGHBOUR);
        check("jegaar", "jaguar", 2.0 * VOWEL);
        check("jamuar", "jaguar", SLIP);
        check("jaguxar", "jaguar", SLIP);
        check("kobenhavn", "københavn", MARK);
        check("haguar", "jaguar", NEIGHBOUR * FIRST);
        check("xaguar", "jaguar", SLIP * FIRST);
        check("", "ab", FIRST + SLIP);
    }

    #[test]
    fn letters_count_not_bytes() {
        check("ягуа", "ягуар", SLIP);
        check("ягаур", "ягуар", SWAP);
        assert_eq!(cost(&"a".repeat(99), "a"), f32::INFINITY);
    }

    #[test]
    fn keys_have_neighbours() {
        for (one, other) in [('q', 'w'), ('a', 'q'), ('a', 'w'), ('s', 'w'), ('s', 'e'), ('x', 's')]
        {
            assert!(are_neighbours(one, other) && are_neighbours(other, one), "{one}{other}");
        }
        for (one, other) in [('q', 'e'), ('q', 'z'), ('a', 'p'), ('a', 'ж'), ('s', 'q')] {
            assert!(!are_neighbours(one, other), "{one}{other}");
        }
    }
}
