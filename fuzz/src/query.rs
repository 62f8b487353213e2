//! Queries: every text is one, within the limits, and printed it is read as the same again.

use rank::query::{Limits, Node, Query};

/// Reads a query. What is understood fits the limits, and printed it is understood in the same
/// way again.
pub fn query(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let small = Limits { bytes: 256, terms: 6, depth: 3 };
    for limits in [Limits::default(), small] {
        let Ok(query) = Query::parse_with(&text, limits) else { continue };
        assert!(text.len() <= limits.bytes);
        let Some(root) = query.root() else { continue };
        check(root, limits);
        let printed = query.to_string();
        let wide = Limits { bytes: usize::MAX, terms: usize::MAX, depth: 1_000 };
        assert_eq!(Query::parse_with(&printed, wide).as_ref(), Ok(&query), "{printed:?}");
    }
}

/// Checks a tree against the limits, and that it has one way to be written.
fn check(root: &Node, limits: Limits) {
    let mut stack = vec![(root, 0)];
    let mut words = 0;
    while let Some((node, depth)) = stack.pop() {
        // A group may hold one of the other kind, and that a negation.
        assert!(depth <= 3 * limits.depth + 3, "{depth} deep");
        match node {
            Node::Word(word) | Node::Exact(word) | Node::Wild(word) | Node::Fuzzy(word, _) => {
                assert!(!word.trim().is_empty());
                words += 1;
            }
            Node::Near(near) => {
                assert!(!near.rest.is_empty());
                stack.push((&*near.first, depth + 1));
                stack.extend(near.rest.iter().map(|(_, part)| (part, depth + 1)));
            }
            Node::In(_, part) => stack.push((part, depth + 1)),
            Node::Filter(_) => words += 1,
            Node::Phrase(phrase) => words += phrase.split_whitespace().count(),
            Node::And(parts) | Node::Or(parts) => {
                assert!(parts.len() > 1);
                stack.extend(parts.iter().map(|part| (part, depth + 1)));
            }
            Node::Not(part) => {
                assert!(!matches!(**part, Node::Not(_)));
                stack.push((part, depth + 1));
            }
            _ => {}
        }
    }
    // Operators that are words are counted apart.
    assert!(words <= 2 * limits.terms, "{words} words");
}
