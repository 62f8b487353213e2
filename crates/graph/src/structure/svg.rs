//! What the pictures share: one frame, one style sheet, text that cannot break out.
//!
//! Class names begin with `lf-`, because a picture set into a page shares its style sheet. Colours
//! stand at 4.5 to 1 or better against the ground, in light and dark.

use std::fmt::Write as _;

/// Longest text taken over from a caller, in characters.
const MAX_TEXT: usize = 120;

/// Colours that can be told apart: also by most who see fewer.
pub(super) const NUM_COLOURS: usize = 8;
const LIGHT: [&str; NUM_COLOURS] =
    ["#0060a8", "#b83c0a", "#00704f", "#8a3b7f", "#7a5600", "#00758f", "#4b5563", "#111111"];
const DARK: [&str; NUM_COLOURS] =
    ["#6cb6ff", "#ff9e64", "#4fd1a1", "#e39bd6", "#e8c15a", "#67e0f5", "#b6bec9", "#f2f2f2"];

/// An SVG that is being written.
pub(super) struct Picture {
    text: String,
}

impl Picture {
    /// Begins a picture; a screen reader reads title and description in its place.
    pub(super) fn new(width: u32, height: u32, title: &str, description: &str) -> Self {
        let (title, description) = (short(title, MAX_TEXT), escaped(description));
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{title}\">\n\
             <title>{title}</title>\n<desc>{description}</desc>\n<style>\n"
        );
        style(&mut text);
        text.push_str("</style>\n");
        let mut picture = Self { text };
        picture.put(format_args!(
            "<rect class=\"lf-ground\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>"
        ));
        picture.words(24.0, 34.0, "lf-text lf-head", &title);
        picture
    }

    /// Adds markup, which the caller has made safe.
    pub(super) fn put(&mut self, markup: std::fmt::Arguments<'_>) {
        self.text.write_fmt(markup).expect("a string takes what is written to it");
        self.text.push('\n');
    }

    /// Adds a line of text that is already escaped.
    pub(super) fn words(&mut self, x: f64, y: f64, class: &str, escaped: &str) {
        self.put(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{escaped}</text>"
        ));
    }

    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

fn style(text: &mut String) {
    text.push_str(
        ".lf-text { font: 14px system-ui, sans-serif; }\n\
         .lf-head { font-size: 18px; font-weight: 600; }\n\
         .lf-name { font-weight: 600; }\n\
         .lf-small { font-size: 12px; }\n\
         .lf-mid { text-anchor: middle; }\n\
         .lf-end { text-anchor: end; }\n\
         .lf-line { fill: none; stroke-width: 2; stroke-linejoin: round; }\n\
         .lf-thin { fill: none; stroke-width: 1; }\n",
    );
    colours(text, "#ffffff", "#1b1d21", "#6b7280", "#e3e6ea", &LIGHT);
    text.push_str("@media (prefers-color-scheme: dark) {\n");
    colours(text, "#16181d", "#eceef1", "#9aa3af", "#31353d", &DARK);
    text.push_str("}\n");
}

fn colours(text: &mut String, ground: &str, ink: &str, thin: &str, grid: &str, all: &[&str]) {
    text.push_str(&format!(
        ".lf-ground {{ fill: {ground}; }}\n.lf-text {{ fill: {ink}; }}\n\
         .lf-thin {{ stroke: {thin}; }}\n.lf-tip {{ fill: {thin}; }}\n\
         .lf-grid {{ stroke: {grid}; }}\n"
    ));
    for (i, colour) in all.iter().enumerate() {
        text.push_str(&format!(
            ".lf-f{i} {{ fill: {colour}; }} .lf-s{i} {{ stroke: {colour}; }}\n"
        ));
    }
}

/// Returns text as it may stand between tags and in attributes.
///
/// Characters that XML does not allow at all become U+FFFD.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

/// Returns the beginning of a text, with a mark where it was cut.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => text[..end].to_owned() + "…",
        None => text.to_owned(),
    }
}

/// Returns the beginning of a text, escaped.
pub(super) fn short(text: &str, most: usize) -> String {
    escaped(&cut(text, most))
}

/// Returns a count with commas between groups of three digits.
pub(super) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
