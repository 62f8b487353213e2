//! `srcset`: one picture in several sizes.

/// Candidates looked at; pages list a dozen.
const MOST: usize = 64;

/// Returns the largest picture of a `srcset`: the others are the same one, smaller.
pub(crate) fn largest(srcset: &str) -> Option<&str> {
    let mut best: Option<(f64, &str)> = None;
    let mut rest = srcset;
    for _ in 0..MOST {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (address, behind) = rest.split_at(end);
        // A comma at the end of an address ends the candidate; one inside belongs to it.
        let bare = address.trim_end_matches(',');
        let (descriptor, behind) = match behind.split_once(',') {
            _ if bare.len() < address.len() => ("", behind),
            Some((descriptor, behind)) => (descriptor, behind),
            None => (behind, ""),
        };
        rest = behind;
        let size = size(descriptor.trim_ascii());
        if !bare.is_empty() && best.is_none_or(|(most, _)| size > most) {
            best = Some((size, bare));
        }
    }
    best.map(|(_, address)| address)
}

/// Reads `640w` or `2x`; nothing is `1x`.
fn size(descriptor: &str) -> f64 {
    let number = descriptor.trim_end_matches(['w', 'x', 'h']);
    number.parse().ok().filter(|size: &f64| size.is_finite()).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(srcset: &str, expected: Option<&str>) {
        assert_eq!(largest(srcset), expected, "{srcset}");
    }

    #[test]
    fn the_largest_candidate_is_taken() {
        check("a.png", Some("a.png"));
        check("a.png 1x, b.png 2x", Some("b.png"));
        check(" a.png 320w,\n b.png 1280w, c.png 640w", Some("b.png"));
        check("a.png, b.png 1.5x", Some("b.png"));
        check("http://a.example/i,w_10/x.png 10w, b.png", Some("http://a.example/i,w_10/x.png"));
        check("", None);
        check(" , ,, ", None);
        check("a.png NaNw, b.png infx", Some("a.png"));
        check(&"x.png 1w,".repeat(100_000), Some("x.png"));
    }
}
