//! Paths that grow without end (URL-17, URL-18, LNK-02, LNK-03).

use base::limits::{PATH_SEGMENTS, SEGMENT_REPEATS};

/// Returns whether a path has more segments than pages have, or one of them too often.
///
/// A segment counts without its parameters, so `/a;1/a;2/…` repeats itself; one that is empty
/// counts too, so `/////` and `/;/;/;` have few variants. The slash at the end is no segment.
/// Cost: bounded by the two limits, no allocation.
pub(super) fn is_endless(path: &str) -> bool {
    let path = path.strip_prefix('/').unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    if path.is_empty() {
        return false;
    }
    if path.matches(";;").count() > SEGMENT_REPEATS {
        return true;
    }
    let mut seen = [""; PATH_SEGMENTS];
    for (number, segment) in path.split('/').enumerate() {
        let Some(place) = seen.get_mut(number) else { return true };
        let name = segment.split_once(';').map_or(segment, |(name, _)| name);
        *place = name;
        if seen[..number].iter().filter(|earlier| **earlier == name).count() >= SEGMENT_REPEATS {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: bool) {
        assert_eq!(is_endless(path), expected, "{path}");
    }

    #[test]
    fn url_17_many_segments_are_a_trap() {
        let path = |n: usize| (0..n).map(|n| format!("/{n}")).collect::<String>();
        check(&path(32), false);
        check(&format!("{}/", path(32)), false);
        check(&path(33), true);
        check(&path(1_000), true);
    }

    #[test]
    fn url_17_a_segment_again_and_again_is_a_trap() {
        check("/x/x/x/", false);
        check("/x/x/x/x", true);
        check(&"/x".repeat(50), true);
        check("/a/b/a/b/a/b/a/b", true);
        check("/x;s=1/x;s=2/x;s=3/x;s=4/", true);
    }

    #[test]
    fn url_18_paths_of_nothing_have_bounded_variants() {
        check("/", false);
        check("//", false);
        check("/a//b/", false);
        check("////", false);
        check("/////", true);
        check("/;/;/;", false);
        check("/;/;/;/;", true);
        check("/;;;;;;;", false);
        check("/;;;;;;;;", true);
        for length in 20..200 {
            check(&"/;".repeat(length), true);
            check(&format!("/{}", ";".repeat(length)), true);
            check(&"/".repeat(length), true);
        }
    }

    #[test]
    fn lnk_02_and_03_links_that_stack_end() {
        check("/a/a/a/a/", true);
        let stacked = "/www.other.example".repeat(4);
        check(&stacked, true);
    }

    #[test]
    fn ordinary_paths_are_none() {
        check("/2026/11/16/a-page-of-ours.html", false);
        check("/wiki/http://example.org/a/", false);
        check("/en/docs/en/api/en", false);
    }
}
