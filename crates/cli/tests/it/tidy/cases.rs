//! The rule about `docs/hostile-inputs.md`: what it says is tested has a test of that name.
//!
//! ```text
//! - [x] DNS-01 What happens. `crates/…/dns.rs: dns_01_…`, `crates/…/names.rs: dns_01_…`
//! - [ ] DNS-02 What should happen. *Open: why.* So far: `…`
//! ```

use super::File;

/// Checks that the cases are numbered without gaps, that each has a test or says why not, and
/// that every test named exists in its file and bears the number of its case.
pub(super) fn check(page: &str, files: &[File]) -> Vec<String> {
    let mut findings = Vec::new();
    let mut before: Option<(&str, usize)> = None;
    for line in page.lines() {
        let Some((is_ticked, number, said)) = case(line) else { continue };
        let (group, count) = split(number);
        let expected = match before {
            Some((last, count)) if last == group => count + 1,
            _ => 1,
        };
        if count != Some(expected) {
            findings.push(format!("{number}: {group} {expected} should stand here"));
        }
        before = Some((group, count.unwrap_or(expected)));
        let tests: Vec<(&str, &str)> = tests(said).collect();
        if is_ticked && tests.is_empty() {
            findings.push(format!("{number}: is ticked, but names no test"));
        }
        if is_ticked == said.contains("*Open:") {
            findings.push(format!("{number}: is either ticked or says why it is open"));
        }
        for (path, name) in tests {
            findings.extend(check_test(number, path, name, files));
        }
    }
    if before.is_none() {
        findings.push("no case is listed".to_owned());
    }
    findings
}

/// Takes a line of the list apart: whether it is ticked, its number, what it says.
fn case(line: &str) -> Option<(bool, &str, &str)> {
    let ticked = line.strip_prefix("- [x] ").map(|rest| (true, rest));
    let (is_ticked, rest) =
        ticked.or_else(|| line.strip_prefix("- [ ] ").map(|rest| (false, rest)))?;
    let (number, said) = rest.split_once(' ')?;
    Some((is_ticked, number, said))
}

/// `DNS-05` is number 5 of `DNS`, `R05` number 5 of `R`.
fn split(number: &str) -> (&str, Option<usize>) {
    let digits = number.find(|c: char| c.is_ascii_digit()).unwrap_or(number.len());
    let (group, count) = number.split_at(digits);
    (group.trim_end_matches('-'), count.parse().ok())
}

/// Returns the tests named: `path: name` in backticks.
fn tests(said: &str) -> impl Iterator<Item = (&str, &str)> {
    let spans = said.split('`').skip(1).step_by(2);
    spans.filter_map(|span| span.split_once(": ")).filter(|(path, _)| path.ends_with(".rs"))
}

fn check_test(number: &str, path: &str, name: &str, files: &[File]) -> Option<String> {
    let Some(file) = files.iter().find(|file| file.path == path) else {
        return Some(format!("{number}: there is no `{path}`"));
    };
    if !is_test(&file.text, name) {
        return Some(format!("{number}: there is no test `{name}` in `{path}`"));
    }
    let (group, count) = split(number);
    let count = count.unwrap_or_default();
    let bears = match group {
        "R" => format!("r{count:02}_"),
        group => format!("{}_{count:02}_", group.to_lowercase()),
    };
    let shared = format!("_and_{count:02}_");
    let is_its = name.contains(&bears) || name.contains(&shared);
    (!is_its).then(|| format!("{number}: `{name}` does not bear its number"))
}

/// Returns whether a function of this name follows the attribute of a test.
fn is_test(text: &str, name: &str) -> bool {
    let declared = format!("fn {name}(");
    let Some(at) = text.find(&declared) else { return false };
    let line = text[..at].rfind('\n').unwrap_or(0);
    let above = text[..line].lines().rev();
    let mut attributes = above.take_while(|line| line.trim_start().starts_with("#["));
    attributes.any(|line| line.contains("test"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "#[test]\nfn dns_01_a() {}\n\n    #[tokio::test]\n    async fn \
                          dns_02_and_03_b() {}\n\nfn dns_04_c() {}\n\n#[test]\nfn r01_d() {}\n";

    #[track_caller]
    fn found(page: &str, expected: &[&str]) {
        let files = [File { path: "a/b.rs".to_owned(), text: SOURCE.to_owned() }];
        assert_eq!(check(page, &files), expected);
    }

    #[test]
    fn a_true_page_passes() {
        found(
            "# Cases\n- [x] DNS-01 Yes. `a/b.rs: dns_01_a`\n- [x] DNS-02 Yes. `a/b.rs: \
             dns_02_and_03_b`\n- [x] DNS-03 `x` Yes. `a/b.rs: dns_02_and_03_b`\n- [ ] DNS-04 No. \
             *Open: later.*\n- [x] R01 Yes. `a/b.rs: r01_d`\n",
            &[],
        );
    }

    #[test]
    fn tests_that_are_none_are_found() {
        found("- [x] DNS-01 Yes. `c.rs: dns_01_a`", &["DNS-01: there is no `c.rs`"]);
        found(
            "- [x] DNS-01 Yes. `a/b.rs: dns_01_z`",
            &["DNS-01: there is no test `dns_01_z` in `a/b.rs`"],
        );
        found(
            "- [x] R01 Yes. `a/b.rs: dns_04_c`",
            &["R01: there is no test `dns_04_c` in `a/b.rs`"],
        );
        found("- [x] R01 Yes. `a/b.rs: dns_01_a`", &["R01: `dns_01_a` does not bear its number"]);
    }

    #[test]
    fn ticks_and_numbers_are_held_against_each_other() {
        found("nothing", &["no case is listed"]);
        found("- [x] DNS-01 Yes.", &["DNS-01: is ticked, but names no test"]);
        found("- [ ] DNS-01 No.", &["DNS-01: is either ticked or says why it is open"]);
        found("- [ ] DNS-02 No. *Open: x.*", &["DNS-02: DNS 1 should stand here"]);
    }
}
