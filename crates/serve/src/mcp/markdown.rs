//! A copy of a page as Markdown, for assistants.
//!
//! Reads what `parse::inert` writes: a few elements, closed in order, every text escaped. Anything
//! else comes out as text; it is read once, from the beginning to the end, without recursion.

/// Deepest nesting of lists that is shown as such.
const LISTS: usize = 8;

/// Returns the Markdown of a harmless copy. Cost: linear.
pub(super) fn markdown(html: &str) -> String {
    let mut writer = Writer::default();
    let mut rest = html;
    while !rest.is_empty() {
        let start = rest.find('<').unwrap_or(rest.len());
        writer.text(&rest[..start]);
        rest = &rest[start..];
        let Some(end) = rest.find('>') else {
            writer.text(rest);
            break;
        };
        writer.tag(&rest[1..end]);
        rest = &rest[end + 1..];
    }
    writer.finish()
}

#[derive(Default)]
struct Writer {
    out: String,
    /// Line breaks to be written before the next text.
    breaks: usize,
    /// Whether a space stood before the next text.
    has_space: bool,
    /// The next number of each open list; `None` where its entries have none.
    lists: Vec<Option<u32>>,
    /// Where open links lead.
    links: Vec<String>,
    quotes: usize,
    is_pre: bool,
    /// Whether the mark of an entry or a heading stands alone so far.
    is_fresh: bool,
}

impl Writer {
    fn tag(&mut self, tag: &str) {
        let (is_end, tag) = match tag.strip_prefix('/') {
            Some(tag) => (true, tag),
            None => (false, tag),
        };
        let name = tag.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or("");
        match (name, is_end) {
            ("br", _) => self.breaks = self.breaks.max(1),
            ("hr", _) => self.block("---"),
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", false) => {
                let depth = usize::from(name.as_bytes()[1] - b'0');
                self.block("");
                self.raw(&"#".repeat(depth));
                (self.has_space, self.is_fresh) = (true, true);
            }
            ("ul" | "ol", is_end) => self.list(name, is_end),
            ("li", false) => self.entry(),
            ("blockquote", is_end) => {
                self.block("");
                self.quotes = if is_end { self.quotes.saturating_sub(1) } else { self.quotes + 1 };
            }
            ("pre", is_end) => {
                self.block(if is_end { "" } else { "```" });
                if is_end {
                    self.breaks = 1;
                    self.raw("```");
                }
                self.breaks = if is_end { 2 } else { 1 };
                self.is_pre = !is_end;
            }
            ("a", false) => {
                self.links.push(attribute(tag, "href").unwrap_or_default());
                self.before_word();
                self.out.push('[');
            }
            ("a", true) => self.close_link(),
            ("td" | "th", true) => {
                self.has_space = false;
                self.out.push_str(" | ");
            }
            ("tr" | "dt" | "dd" | "caption" | "summary", _) => self.breaks = self.breaks.max(1),
            (name, _) if is_block(name) => self.block(""),
            _ => {}
        }
    }

    fn list(&mut self, name: &str, is_end: bool) {
        if is_end {
            self.lists.pop();
        } else {
            self.lists.push((name == "ol").then_some(1));
        }
        self.breaks = self.breaks.max(if self.lists.is_empty() { 2 } else { 1 });
    }

    fn entry(&mut self) {
        self.breaks = self.breaks.max(1);
        let depth = self.lists.len().clamp(1, LISTS) - 1;
        let sign = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{}.", *number - 1)
            }
            _ => "-".to_owned(),
        };
        self.raw(&format!("{}{sign}", "  ".repeat(depth)));
        (self.has_space, self.is_fresh) = (true, true);
    }

    fn close_link(&mut self) {
        let Some(address) = self.links.pop() else { return };
        // A link without words, or to nowhere, says nothing.
        if self.out.ends_with('[') {
            self.out.pop();
        } else if address.is_empty() {
            self.out.push(']');
        } else {
            self.out.push_str(&format!("]({address})"));
        }
    }

    /// Begins a new block, with a line of its own if it is not empty.
    fn block(&mut self, line: &str) {
        if self.is_fresh && line.is_empty() {
            return;
        }
        self.breaks = 2;
        if !line.is_empty() {
            self.raw(line);
            self.breaks = 2;
        }
        self.has_space = false;
    }

    fn text(&mut self, text: &str) {
        let text = unescaped(text);
        if self.is_pre {
            if !text.is_empty() {
                self.line_breaks();
                self.out.push_str(&text);
                self.breaks = 0;
            }
            return;
        }
        for (number, word) in text.split(char::is_whitespace).enumerate() {
            self.has_space |= number > 0;
            if !word.is_empty() {
                self.before_word();
                self.out.push_str(word);
            }
        }
    }

    fn raw(&mut self, text: &str) {
        self.line_breaks();
        self.out.push_str(text);
    }

    fn before_word(&mut self) {
        self.is_fresh = false;
        let is_new_line = self.line_breaks();
        if self.has_space && !is_new_line && !self.out.ends_with(['[', ' ', '\n']) {
            self.out.push(' ');
        }
        self.has_space = false;
    }

    /// Writes the line breaks that are due; returns whether a line begins here.
    fn line_breaks(&mut self) -> bool {
        if self.breaks == 0 {
            return self.out.is_empty();
        }
        let trimmed = self.out.trim_end_matches(' ').len();
        self.out.truncate(trimmed);
        if !self.out.is_empty() {
            for _ in 0..self.breaks {
                self.out.push('\n');
            }
        }
        self.breaks = 0;
        self.out.push_str(&"> ".repeat(self.quotes.min(LISTS)));
        true
    }

    fn finish(self) -> String {
        self.out.trim_end().to_owned()
    }
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "section"
            | "article"
            | "main"
            | "header"
            | "footer"
            | "nav"
            | "aside"
            | "figure"
            | "figcaption"
            | "table"
            | "thead"
            | "tbody"
            | "tfoot"
            | "dl"
            | "details"
            | "address"
            | "fieldset"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
    )
}

/// Returns the value of an attribute, as our own writer writes them: in double quotes.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let value = unescaped(rest.split('"').next().unwrap_or_default());
    // A parenthesis would end the address; so would a space.
    Some(value.replace('(', "%28").replace(')', "%29").replace(char::is_whitespace, "%20"))
}

/// Undoes the escapes that our own writer makes.
fn unescaped(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&#39;", "'").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        assert_eq!(markdown(html), expected);
    }

    #[test]
    fn pages_keep_their_order_and_their_shape() {
        check(
            "<h1>Cats</h1><p>Big  <b>cats</b>\nroar.</p><p>So.</p>",
            "# Cats\n\nBig cats roar.\n\nSo.",
        );
        check(
            "<ul><li>one</li><li>two<ul><li>deep</li></ul></li></ul>x",
            "- one\n- two\n  - deep\n\nx",
        );
        check("<ul><li><p>one</p></li><li><p>two</p></li></ul>", "- one\n\n- two");
        check("<ol><li>one</li><li>two</li></ol>", "1. one\n2. two");
        check(
            "see <a href=\"http://a.example/?a=1&amp;b=(2)\">the zoo</a>.",
            "see [the zoo](http://a.example/?a=1&b=%282%29).",
        );
        check("<pre>a\n  b &lt;c&gt;</pre>x", "```\na\n  b <c>\n```\n\nx");
        check("<blockquote><p>said</p></blockquote><p>done</p>", "> said\n\ndone");
        check(
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
            "a | b |\n1 | 2 |",
        );
        check("one<br>two", "one\ntwo");
    }

    #[test]
    fn whatever_is_not_our_own_mark_up_comes_out_as_something() {
        for html in
            ["<", "<a", "</a></a></ul></li>", "<a href=\"", "a<b", "&amp;lt;", "<a></a>", ">>"]
        {
            let _ = markdown(html);
        }
        check("&amp;lt;script&amp;gt;", "&lt;script&gt;");
        let deep = "<ul><li><blockquote>".repeat(10_000) + "x";
        assert!(markdown(&deep).len() < 600_000, "nesting does not multiply");
        check("", "");
    }
}
