//! Declarations of a style: only what can hide text is read.

use super::colour::{self, Paint};

/// Longest style attribute read.
const STYLE_BYTES: usize = 4_096;
/// From this far left or above nobody scrolls to it, in pixels.
const OFF_SCREEN: f32 = -500.0;
/// A box, or a letter, of this many pixels or fewer cannot be read.
const NOTHING: f32 = 1.0;

/// What is declared for an element; `None` where nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Style {
    /// `display` other than `none`.
    pub(super) displays: Option<bool>,
    /// `visibility`.
    pub(super) visible: Option<bool>,
    /// Opacity above nothing.
    pub(super) opaque: Option<bool>,
    pub(super) colour: Option<Ink>,
    pub(super) background: Option<Paint>,
    pub(super) size: Option<Size>,
    /// Taken out of the flow: `absolute` or `fixed`.
    pub(super) floats: Option<bool>,
    /// `left`, `top`, `right` or `bottom` far off the screen.
    pub(super) is_away: Option<bool>,
    /// Moved off the screen by indent, margin or transformation.
    pub(super) is_moved: Option<bool>,
    /// Clipped or scaled to nothing.
    pub(super) is_clipped: Option<bool>,
    /// What does not fit is cut off.
    pub(super) is_tight: Option<bool>,
    pub(super) is_narrow: Option<bool>,
    pub(super) is_low: Option<bool>,
    /// A shadow shows the shape of letters that have no colour.
    pub(super) has_shadow: Option<bool>,
}

/// The colour of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    /// As the element around it.
    Inherited,
    Paint(Paint),
}

/// The size of letters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Size {
    Pixels(f32),
    /// Times the size around it.
    Times(f32),
}

/// A style and the part of it that is `!important`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Declared {
    pub(super) normal: Style,
    pub(super) important: Style,
}

impl Declared {
    /// Reads declarations; what is unknown is passed over. Cost: linear.
    pub(super) fn parse(text: &str) -> Self {
        let mut declared = Self::default();
        for declaration in Declarations(base::limits::cut(text, STYLE_BYTES)) {
            let Some((name, value)) = declaration.split_once(':') else { continue };
            let (value, mark) = value.split_once('!').map_or((value, ""), |(value, m)| (value, m));
            let is_important = mark.trim_ascii().eq_ignore_ascii_case("important");
            let style = if is_important { &mut declared.important } else { &mut declared.normal };
            style.declare(name.trim_ascii(), value.trim_ascii());
        }
        declared
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether it shows something that another rule may hide.
    pub(super) fn opens(&self) -> bool {
        self.normal.opens() || self.important.opens()
    }
}

impl Style {
    /// Puts what `over` says in place of what is said here.
    pub(super) fn overlay(&mut self, over: &Self) {
        fn put<T: Copy>(place: &mut Option<T>, over: Option<T>) {
            *place = over.or(*place);
        }
        put(&mut self.displays, over.displays);
        put(&mut self.visible, over.visible);
        put(&mut self.opaque, over.opaque);
        put(&mut self.colour, over.colour);
        put(&mut self.background, over.background);
        put(&mut self.size, over.size);
        put(&mut self.floats, over.floats);
        put(&mut self.is_away, over.is_away);
        put(&mut self.is_moved, over.is_moved);
        put(&mut self.is_clipped, over.is_clipped);
        put(&mut self.is_tight, over.is_tight);
        put(&mut self.is_narrow, over.is_narrow);
        put(&mut self.is_low, over.is_low);
        put(&mut self.has_shadow, over.has_shadow);
    }

    fn opens(&self) -> bool {
        let is_false = |value: Option<bool>| value == Some(false);
        self.displays == Some(true)
            || self.visible == Some(true)
            || self.opaque == Some(true)
            || is_false(self.is_away)
            || is_false(self.is_moved)
            || is_false(self.is_clipped)
            || is_false(self.is_low)
    }

    fn declare(&mut self, name: &str, value: &str) {
        let mut lower = [0; 24];
        let Some(lower) = lower.get_mut(..name.len()) else { return };
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        let is = |word: &str| value.eq_ignore_ascii_case(word);
        let has_variable = value.contains("var(");
        match &*lower {
            b"color" => self.colour = ink(value).or(self.colour),
            b"background" | b"background-color" | b"background-image" => {
                self.background = background(value).or(self.background);
            }
            b"background-clip" | b"-webkit-background-clip" if is("text") => {
                self.background = Some(Paint::Unknown);
            }
            b"text-shadow" => self.has_shadow = Some(!is("none")),
            b"font-size" => self.size = size(value).or(self.size),
            b"font" => {
                self.size = value.split_ascii_whitespace().find_map(size_of_font).or(self.size);
            }
            _ if has_variable => {}
            b"display" => self.displays = Some(!is("none")),
            b"visibility" => self.visible = Some(!is("hidden") && !is("collapse")),
            b"opacity" => {
                self.opaque = number(value).map(|(amount, _)| amount > 0.02).or(self.opaque);
            }
            b"position" => self.floats = Some(is("absolute") || is("fixed")),
            b"left" | b"top" | b"right" | b"bottom" => self.go(is_far(value)),
            b"text-indent" | b"margin-left" | b"margin-top" | b"margin" => {
                let first = value.split_ascii_whitespace();
                let far = first.take(4).any(|value| is_far(value) == Some(true));
                self.is_moved = Some(self.is_moved == Some(true) || far);
            }
            b"transform" | b"-webkit-transform" => self.transform(value),
            b"clip" | b"clip-path" | b"-webkit-clip-path" => self.is_clipped = Some(clips(value)),
            b"overflow" | b"overflow-y" | b"overflow-x" => {
                self.is_tight = Some(is("hidden") || is("clip"));
            }
            b"width" | b"max-width" => self.is_narrow = Some(is_nothing(value)),
            b"height" | b"max-height" => self.is_low = Some(is_nothing(value)),
            _ => {}
        }
    }

    /// One side far away is enough, whatever is said of the others.
    fn go(&mut self, far: Option<bool>) {
        self.is_away = Some(self.is_away == Some(true) || far == Some(true));
    }

    fn transform(&mut self, value: &str) {
        let (name, arguments) = value.split_once('(').unwrap_or((value, ""));
        let mut arguments = arguments.split([',', ')']).map(str::trim_ascii);
        if name.to_ascii_lowercase().starts_with("translate") {
            self.is_moved = Some(arguments.any(|value| is_far(value) == Some(true)));
        } else if name.eq_ignore_ascii_case("scale") {
            let factor = arguments.next().and_then(number);
            self.is_clipped = factor.map(|(factor, _)| factor <= 0.01);
        } else {
            self.is_moved = Some(false);
        }
    }
}

/// Parts a style into declarations; what stands in brackets or quotes does not part it.
struct Declarations<'a>(&'a str);

impl<'a> Iterator for Declarations<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.0.is_empty() {
            return None;
        }
        let (mut depth, mut quote) = (0_u32, None);
        for (place, byte) in self.0.bytes().enumerate() {
            match (quote, byte) {
                (Some(open), _) if open == byte => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'(') => depth += 1,
                (None, b')') => depth = depth.saturating_sub(1),
                (None, b';') if depth == 0 => {
                    let declaration = &self.0[..place];
                    self.0 = &self.0[place + 1..];
                    return Some(declaration);
                }
                _ => {}
            }
        }
        Some(std::mem::take(&mut self.0))
    }
}

fn ink(value: &str) -> Option<Ink> {
    if value.eq_ignore_ascii_case("inherit") || value.eq_ignore_ascii_case("currentcolor") {
        return Some(Ink::Inherited);
    }
    colour::parse(value).map(Ink::Paint)
}

fn background(value: &str) -> Option<Paint> {
    // `url`, gradients, `image-set` and variables are painted by something we cannot see.
    let is_colour = |name: &str| {
        let name = name.rsplit([' ', ',']).next().unwrap_or(name);
        ["rgb", "rgba", "hsl", "hsla"].iter().any(|known| name.eq_ignore_ascii_case(known))
    };
    if let Some((name, _)) = value.split_once('(') {
        return if is_colour(name) { colour::parse(value) } else { Some(Paint::Unknown) };
    }
    if value.eq_ignore_ascii_case("none") || value.eq_ignore_ascii_case("inherit") {
        return None;
    }
    value.split_ascii_whitespace().find_map(colour::parse)
}

/// Reads a number and what stands behind it.
fn number(value: &str) -> Option<(f32, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
    let end = value.find(|c: char| !is_part(c)).unwrap_or(value.len());
    let number = value[..end].parse::<f32>().ok()?;
    Some((number, value[end..].trim_ascii()))
}

/// Returns a length in pixels, if it does not depend on what is around.
fn pixels(value: &str) -> Option<f32> {
    let (number, unit) = number(value)?;
    let unit = match unit {
        "" | "px" | "PX" => 1.0,
        "pt" => 4.0 / 3.0,
        "em" | "rem" | "ex" | "ch" => 16.0,
        // Of a screen of 1,000 pixels, near enough for both questions asked.
        "vw" | "vh" => 10.0,
        "cm" => 37.8,
        "in" => 96.0,
        _ => return None,
    };
    Some(number * unit)
}

fn is_far(value: &str) -> Option<bool> {
    if let Some((number, "%")) = number(value) {
        return Some(number <= -100.0);
    }
    pixels(value).map(|pixels| pixels <= OFF_SCREEN)
}

fn is_nothing(value: &str) -> bool {
    match number(value) {
        Some((number, "%")) => number <= 0.0,
        // `1em` is a line; `1px` is nothing.
        _ => pixels(value).is_some_and(|pixels| pixels <= NOTHING),
    }
}

/// Returns whether a `clip` or `clip-path` leaves nothing.
fn clips(value: &str) -> bool {
    let Some((shape, arguments)) = value.split_once('(') else { return false };
    let separates = |c: char| c == ',' || c == ')' || c.is_ascii_whitespace();
    let mut sides = arguments.split(separates).filter(|side| !side.is_empty());
    if shape.eq_ignore_ascii_case("rect") {
        // `rect(top, right, bottom, left)`: all at one point.
        return sides.take(4).all(|side| pixels(side).is_some_and(|side| side.abs() <= NOTHING));
    }
    if shape.eq_ignore_ascii_case("inset") {
        return matches!(sides.next().and_then(number), Some((share, "%")) if share >= 50.0);
    }
    let is_zero = |side: &str| number(side).is_some_and(|(number, _)| number == 0.0);
    shape.eq_ignore_ascii_case("circle") && sides.next().is_some_and(is_zero)
        || shape.eq_ignore_ascii_case("polygon") && sides.all(is_zero)
}

fn size(value: &str) -> Option<Size> {
    let (number, unit) = match number(value) {
        Some(read) => read,
        None if value.eq_ignore_ascii_case("inherit") => return None,
        // `small`, `x-large` and `calc(…)` can be read by people.
        None => return Some(Size::Pixels(16.0)),
    };
    match unit {
        "em" => Some(Size::Times(number)),
        "%" => Some(Size::Times(number / 100.0)),
        // Letters as large as the screen is wide: never nothing, unless zero.
        "vw" | "vh" | "rem" => Some(Size::Pixels(number * 10.0)),
        _ => pixels(value).map(Size::Pixels),
    }
}

/// Finds the size in a `font`: the first number that has a unit, or is zero.
fn size_of_font(word: &str) -> Option<Size> {
    let word = word.split('/').next().unwrap_or(word);
    let (number, unit) = number(word)?;
    if unit.is_empty() && number != 0.0 { None } else { size(word) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(text: &str) -> Style {
        let Declared { mut normal, important } = Declared::parse(text);
        normal.overlay(&important);
        normal
    }

    #[test]
    fn declarations_are_parted_where_css_parts_them() {
        let read = style("background:url('a;b:c');;x;display : NONE ! important;display:block");
        assert_eq!((read.background, read.displays), (Some(Paint::Unknown), Some(false)));
        assert!(Declared::parse("margin-bottom: 3px; border: 1px solid").is_empty());
        assert!(Declared::parse(&"(".repeat(100_000)).is_empty());
    }

    #[test]
    fn colours_and_backgrounds_are_read() {
        assert_eq!(style("color:#fff").colour, Some(Ink::Paint(Paint::WHITE)));
        assert_eq!(style("color:inherit").colour, Some(Ink::Inherited));
        assert_eq!(style("background:#000 no-repeat").background, Some(Paint::BLACK));
        assert_eq!(style("background:rgb(0,0,0)").background, Some(Paint::BLACK));
        assert_eq!(style("background:none").background, None);
        let gradient = style("background: linear-gradient(red, blue)");
        assert_eq!(gradient.background, Some(Paint::Unknown));
    }

    #[test]
    fn places_off_the_screen_are_found() {
        for text in
            ["left:-9999px", "top: -99em", "right:-100%", "left:-9999px;top:0", "bottom:-1000vw"]
        {
            assert_eq!(style(text).is_away, Some(true), "{text}");
        }
        assert_eq!(style("left:-20px").is_away, Some(false));
        for text in ["text-indent:-9999px", "margin:0 0 0 -5000px", "transform:translateX(-9999px)"]
        {
            assert_eq!(style(text).is_moved, Some(true), "{text}");
        }
        assert_eq!(style("margin:0 auto").is_moved, Some(false));
    }

    #[test]
    fn clips_that_leave_nothing_are_found() {
        for text in [
            "clip:rect(0,0,0,0)",
            "clip: rect(1px 1px 1px 1px)",
            "clip-path:inset(50%)",
            "clip-path: circle(0)",
            "transform:scale(0)",
        ] {
            assert_eq!(style(text).is_clipped, Some(true), "{text}");
        }
        for text in ["clip:auto", "clip-path:inset(5px)", "clip:rect(0,100px,100px,0)"] {
            assert_eq!(style(text).is_clipped, Some(false), "{text}");
        }
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(style("font-size:0").size, Some(Size::Pixels(0.0)));
        assert_eq!(style("font-size:1px").size, Some(Size::Pixels(1.0)));
        assert_eq!(style("font-size:.01em").size, Some(Size::Times(0.01)));
        assert_eq!(style("font:0/0 a").size, Some(Size::Pixels(0.0)));
        assert_eq!(style("font:bold 12px/1.5 serif").size, Some(Size::Pixels(12.0)));
        assert_eq!(style("font-size:small").size, Some(Size::Pixels(16.0)));
    }
}
