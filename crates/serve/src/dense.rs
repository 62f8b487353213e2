//! Style and script as they are sent: without comments, indents and spaces that only readers of the
//! source need, so that the whole search page weighs less than 30 KB.
//!
//! Made for our own files, when they are first asked for; there is no build step. They keep to two
//! rules: a comment begins at the beginning of a line or is written `/* … */`, and statements of a
//! script end with a semicolon, and no text in them holds `;}`. Texts between quotes stay as they are.

/// What needs no space on either side in a script.
const MARKS: [char; 17] =
    ['{', '}', '(', ')', '[', ']', ';', ',', '=', '<', '>', '?', ':', '&', '|', '!', '\n'];
/// What needs no line break behind it in a script whose statements end with a semicolon.
const NO_BREAK: [char; 5] = ['{', '}', ';', ',', '('];

/// Returns a style sheet without what browsers do not need. `names` is the sheet that defines the
/// custom properties: they get names of one letter.
pub(crate) fn style(text: &str, names: &str) -> String {
    let mut style = lines(&uncommented(text)).replace('\n', " ");
    for (from, to) in [
        (": ", ":"),
        (" {", "{"),
        ("{ ", "{"),
        (", ", ","),
        ("; ", ";"),
        (" }", "}"),
        ("} ", "}"),
        (" > ", ">"),
    ] {
        style = style.replace(from, to);
    }
    for (name, letter) in properties(names).into_iter().zip('a'..='z') {
        style = style.replace(name, &format!("--{letter}"));
    }
    style.replace(";}", "}")
}

/// Returns a script without what browsers do not need.
pub(crate) fn script(text: &str) -> String {
    let text = lines(&uncommented(text));
    let mut dense = String::with_capacity(text.len());
    let (mut quote, mut is_escaped) = (None, false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let last = dense.chars().next_back().unwrap_or('\n');
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if letter == '\\' => is_escaped = true,
            Some(mark) if letter == mark => quote = None,
            Some(_) => {}
            None => {
                let next = letters.peek().copied().unwrap_or('\n');
                let is_idle = match letter {
                    // `a + +b` needs one of its three.
                    ' ' if is_sign(last) && is_sign(next) => false,
                    ' ' => [last, next].into_iter().any(|it| MARKS.contains(&it) || is_sign(it)),
                    '\n' => NO_BREAK.contains(&last) || next == '}',
                    _ => false,
                };
                if is_idle {
                    continue;
                }
                quote = Some(letter).filter(|letter| matches!(letter, '\'' | '"' | '`'));
            }
        }
        dense.push(letter);
    }
    dense.replace(";}", "}")
}

fn is_sign(letter: char) -> bool {
    matches!(letter, '+' | '-')
}

/// Returns the names of the custom properties that a sheet defines, the longest first: none of them
/// begins with one that comes before it.
fn properties(sheet: &str) -> Vec<&str> {
    let is_name = |text: &&str| text.starts_with("--") && !text.contains(['(', ' ', ',']);
    let before_colons = sheet.split([';', '{', '\n']).filter_map(|line| line.split_once(':'));
    let mut names: Vec<&str> = before_colons.map(|(name, _)| name.trim()).filter(is_name).collect();
    names.sort_unstable_by_key(|name| (usize::MAX - name.len(), *name));
    names.dedup();
    names
}

/// Leaves out comments: whole lines that begin with `//`, and what stands between `/*` and `*/`.
fn uncommented(text: &str) -> String {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let text = text.lines().filter(is_code).collect::<Vec<_>>().join("\n");
    let mut parts = text.split("/*");
    let mut code = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        code.push_str(part.split_once("*/").map_or("", |(_, code)| code));
    }
    code
}

/// Leaves out indents and empty lines.
fn lines(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_lose_comments_spaces_and_long_names() {
        let sheet = "/* one\n   two */\n:root {\n  --line: red;\n  --on-line: blue;\n}\n\
                     a, b :hover {\n  c: var(--line) var(--on-line); /* d */\n  e: \" f\";\n}\n";
        let dense = ":root{--b:red;--a:blue}a,b :hover{c:var(--b) var(--a);e:\" f\"}";
        assert_eq!(style(sheet, sheet).trim_end(), dense);
        assert_eq!(style("g { h: var(--line); }", sheet).trim_end(), "g{h:var(--b)}");
    }

    #[test]
    fn scripts_keep_their_texts_and_the_breaks_that_end_statements() {
        let text = "// no\nconst a = (b) => {\n  c('//d  { e }', \"it's\\\" = \");\n\n  return a + +b\n};\n\
                    try { f() } catch { /* never */ }\n";
        let dense = "const a=(b)=>{c('//d  { e }',\"it's\\\" = \");return a+ +b};\
                     try{f()}catch{}";
        assert_eq!(script(text), dense);
    }
}
