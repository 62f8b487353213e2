//! Tells Rust code from comments and literals, without a parser.
//!
//! Rules that look for a word in code must not stumble over the same word in a comment or a
//! string. This is as much of Rust's lexical structure as that needs.

/// Returns `source` with every comment and every string or character literal blanked out.
///
/// Line breaks stay, so that line numbers still hold.
pub(super) fn code_only(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut code = String::with_capacity(source.len());
    let mut at = 0;
    while at < chars.len() {
        let end = end_of_text(&chars, at).unwrap_or(at);
        if end == at {
            code.push(chars[at]);
            at += 1;
            continue;
        }
        code.extend(chars[at..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
        at = end;
    }
    code
}

/// Tells whether `word` stands in `code`, and not as a part of a longer word.
///
/// A `word` that ends with `::` is followed by anything.
pub(super) fn mentions(code: &str, word: &str) -> bool {
    let is_path = word.ends_with("::");
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        !before.is_some_and(is_in_word) && (is_path || !after.is_some_and(is_in_word))
    })
}

/// Returns where the comment or literal that begins at `start` ends; `None` if none begins there.
fn end_of_text(chars: &[char], start: usize) -> Option<usize> {
    let next = chars.get(start + 1).copied();
    match chars[start] {
        '/' if next == Some('/') => Some(end_of_line(chars, start)),
        '/' if next == Some('*') => Some(end_of_block(chars, start)),
        '"' => Some(end_of_string(chars, start + 1, '"')),
        '\'' if next == Some('\\') => Some(end_of_string(chars, start + 1, '\'')),
        // Without a closing quote two places on it is a lifetime or a label.
        '\'' if chars.get(start + 2) == Some(&'\'') => Some(start + 3),
        'r' => end_of_raw_string(chars, start),
        _ => None,
    }
}

fn end_of_line(chars: &[char], start: usize) -> usize {
    chars[start..].iter().position(|&c| c == '\n').map_or(chars.len(), |length| start + length)
}

/// Block comments nest.
fn end_of_block(chars: &[char], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = start;
    while at + 1 < chars.len() {
        match (chars[at], chars[at + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

fn end_of_string(chars: &[char], first: usize, quote: char) -> usize {
    let mut at = first;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// Reads `r"…"` and `r#"…"#`; the `b` or `c` before the `r` stays as code and does no harm.
fn end_of_raw_string(chars: &[char], start: usize) -> Option<usize> {
    let before = start.checked_sub(1).map(|at| chars[at]);
    if before.is_some_and(|c| is_in_word(c) && c != 'b' && c != 'c') {
        return None;
    }
    let hashes = chars[start + 1..].iter().take_while(|&&c| c == '#').count();
    let first = start + 1 + hashes;
    if chars.get(first) != Some(&'"') {
        return None;
    }
    let closes = |at: &usize| {
        chars[*at] == '"'
            && chars[at + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes
    };
    Some((first + 1..chars.len()).find(closes).map_or(chars.len(), |at| at + 1 + hashes))
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected_words: &[&str]) {
        let code = code_only(source);
        assert_eq!(code.lines().count(), source.lines().count());
        assert_eq!(code.split_whitespace().collect::<Vec<_>>(), expected_words);
    }

    #[test]
    fn line_comments_are_blank() {
        check("a // b\n/// c\nd", &["a", "d"]);
    }

    #[test]
    fn block_comments_nest() {
        check("a /* b /* c */ d */ e", &["a", "e"]);
    }

    #[test]
    fn open_ends_are_harmless() {
        check("a /* b", &["a"]);
        check("a \"b", &["a"]);
        check("a r#\"b\"", &["a"]);
        check("a '\\", &["a"]);
    }

    #[test]
    fn strings_are_blank_with_their_escapes() {
        check(r#"a "b \" c" d"#, &["a", "d"]);
        check(r#"a "// b" d"#, &["a", "d"]);
    }

    #[test]
    fn raw_strings_end_at_their_own_hashes() {
        check(r###"a r#"b " c"# d br"e\" f"###, &["a", "d", "b", "f"]);
    }

    #[test]
    fn names_that_end_in_r_do_not_open_a_raw_string() {
        check("for number in r { r }", &["for", "number", "in", "r", "{", "r", "}"]);
    }

    #[test]
    fn quotes_of_characters_and_lifetimes_differ() {
        check(r#"a '"' b '\'' c 'x' d"#, &["a", "b", "c", "d"]);
        check("fn f<'a>(x: &'a str)", &["fn", "f<'a>(x:", "&'a", "str)"]);
    }

    #[test]
    fn only_whole_words_are_mentions() {
        assert!(mentions("use clap::Parser;", "clap::"));
        assert!(mentions("hyper::client::conn", "hyper::client"));
        assert!(!mentions("use clap_complete::x;", "clap"));
        assert!(!mentions("overclap::x", "clap::"));
        assert!(!mentions("unsafe_code", "unsafe"));
    }
}
