//! Colours as style sheets and old attributes write them.

/// What something is painted with, as far as the page itself says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    /// A picture, a variable, something half clear: nothing can be said.
    Unknown,
    /// Nothing: what is behind shows.
    Clear,
    /// An opaque colour.
    Solid([u8; 3]),
}

impl Paint {
    pub(super) const BLACK: Self = Self::Solid([0, 0, 0]);
    pub(super) const WHITE: Self = Self::Solid([255, 255, 255]);
    /// What browsers give a link.
    pub(super) const LINK: Self = Self::Solid([0, 0, 238]);

    /// Returns whether text of this colour cannot be told from the background.
    pub(super) fn vanishes_on(self, background: Self) -> bool {
        match (self, background) {
            (Self::Unknown, _) | (_, Self::Unknown | Self::Clear) => false,
            (Self::Clear, Self::Solid(_)) => true,
            (Self::Solid(text), Self::Solid(behind)) => {
                text.iter().zip(behind).all(|(one, other)| one.abs_diff(other) <= NEARLY)
            }
        }
    }
}

/// Largest difference of a channel that nobody reads: `#f0f0f0` on white is a blank page, `#eee`
/// is a rule between rows.
const NEARLY: u8 = 16;

/// Reads one colour of a style sheet; `None` for what is no colour.
pub(super) fn parse(value: &str) -> Option<Paint> {
    let value = value.trim_ascii();
    if let Some(digits) = value.strip_prefix('#') {
        return hex(digits);
    }
    if let Some((name, arguments)) = value.split_once('(') {
        return function(name, arguments.trim_end_matches(')'));
    }
    if value.eq_ignore_ascii_case("transparent") {
        return Some(Paint::Clear);
    }
    named(value)
}

/// Reads the value of `bgcolor`, `color`, `text` or `link`, where the sign is often missing.
pub(super) fn legacy(value: &str) -> Paint {
    parse(value).or_else(|| hex(value.trim_ascii())).unwrap_or(Paint::Unknown)
}

fn hex(digits: &str) -> Option<Paint> {
    let mut values = [0; 8];
    if digits.len() > values.len() {
        return None;
    }
    for (value, digit) in values.iter_mut().zip(digits.chars()) {
        *value = u8::try_from(digit.to_digit(16)?).ok()?;
    }
    let pair = |place: usize| 16 * values[place] + values[place + 1];
    let twin = |place: usize| 17 * values[place];
    match digits.len() {
        3 => Some(Paint::Solid([twin(0), twin(1), twin(2)])),
        4 => Some(with_alpha([twin(0), twin(1), twin(2)], f32::from(twin(3)) / 255.0)),
        6 => Some(Paint::Solid([pair(0), pair(2), pair(4)])),
        8 => Some(with_alpha([pair(0), pair(2), pair(4)], f32::from(pair(6)) / 255.0)),
        _ => None,
    }
}

/// Half clear colours mix with what is behind; nobody can say how without painting.
fn with_alpha(colour: [u8; 3], alpha: f32) -> Paint {
    if alpha >= 0.9 {
        Paint::Solid(colour)
    } else if alpha <= 0.05 {
        Paint::Clear
    } else {
        Paint::Unknown
    }
}

fn function(name: &str, arguments: &str) -> Option<Paint> {
    let is_rgb = name.eq_ignore_ascii_case("rgb") || name.eq_ignore_ascii_case("rgba");
    let is_hsl = name.eq_ignore_ascii_case("hsl") || name.eq_ignore_ascii_case("hsla");
    if !is_rgb && !is_hsl {
        // `var`, `lab`, `color-mix` and what is still to come.
        return Some(Paint::Unknown);
    }
    let separates = |character: char| matches!(character, ',' | '/') || character.is_whitespace();
    let mut parts = arguments.split(separates).filter(|part| !part.is_empty());
    let mut numbers = [(0.0, false); 3];
    for number in &mut numbers {
        let Some(read) = parts.next().and_then(number_of) else { return Some(Paint::Unknown) };
        *number = read;
    }
    let alpha = match parts.next().map(number_of) {
        None => 1.0,
        Some(Some((value, is_percent))) => value / if is_percent { 100.0 } else { 1.0 },
        Some(None) => return Some(Paint::Unknown),
    };
    let colour = if is_rgb {
        numbers.map(|(value, is_percent)| byte(if is_percent { value * 2.55 } else { value }))
    } else {
        of_hsl(numbers[0].0, numbers[1].0 / 100.0, numbers[2].0 / 100.0)
    };
    Some(with_alpha(colour, alpha))
}

/// Reads a number; also says whether it is a percentage.
fn number_of(text: &str) -> Option<(f32, bool)> {
    let percent = text.strip_suffix('%');
    let digits = percent.unwrap_or(text).trim_end_matches("deg");
    digits.parse::<f32>().ok().filter(|value| value.is_finite()).map(|v| (v, percent.is_some()))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped before")]
fn byte(value: f32) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

fn of_hsl(hue: f32, saturation: f32, lightness: f32) -> [u8; 3] {
    let hue = hue.rem_euclid(360.0);
    let (saturation, lightness) = (saturation.clamp(0.0, 1.0), lightness.clamp(0.0, 1.0));
    let reach = saturation * lightness.min(1.0 - lightness);
    [0.0, 8.0, 4.0].map(|offset| {
        let turn = (offset + hue / 30.0) % 12.0;
        byte(255.0 * (lightness - reach * (turn - 3.0).min(9.0 - turn).clamp(-1.0, 1.0)))
    })
}

/// Longest name below.
const LONGEST: usize = "lightgoldenrodyellow".len();

fn named(name: &str) -> Option<Paint> {
    let mut lower = [0; LONGEST];
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    let place = NAMES.binary_search_by(|(name, _)| name.as_bytes().cmp(lower)).ok()?;
    let [_, red, green, blue] = NAMES[place].1.to_be_bytes();
    Some(Paint::Solid([red, green, blue]))
}

/// The colours that CSS has names for, in order.
#[rustfmt::skip]
const NAMES: [(&str, u32); 148] = [
    ("aliceblue", 0xf0f8ff), ("antiquewhite", 0xfaebd7), ("aqua", 0x00ffff),
    ("aquamarine", 0x7fffd4), ("azure", 0xf0ffff), ("beige", 0xf5f5dc), ("bisque", 0xffe4c4),
    ("black", 0x000000), ("blanchedalmond", 0xffebcd), ("blue", 0x0000ff), ("blueviolet", 0x8a2be2),
    ("brown", 0xa52a2a), ("burlywood", 0xdeb887), ("cadetblue", 0x5f9ea0), ("chartreuse", 0x7fff00),
    ("chocolate", 0xd2691e), ("coral", 0xff7f50), ("cornflowerblue", 0x6495ed),
    ("cornsilk", 0xfff8dc), ("crimson", 0xdc143c), ("cyan", 0x00ffff), ("darkblue", 0x00008b),
    ("darkcyan", 0x008b8b), ("darkgoldenrod", 0xb8860b), ("darkgray", 0xa9a9a9),
    ("darkgreen", 0x006400), ("darkgrey", 0xa9a9a9), ("darkkhaki", 0xbdb76b),
    ("darkmagenta", 0x8b008b), ("darkolivegreen", 0x556b2f), ("darkorange", 0xff8c00),
    ("darkorchid", 0x9932cc), ("darkred", 0x8b0000), ("darksalmon", 0xe9967a),
    ("darkseagreen", 0x8fbc8f), ("darkslateblue", 0x483d8b), ("darkslategray", 0x2f4f4f),
    ("darkslategrey", 0x2f4f4f), ("darkturquoise", 0x00ced1), ("darkviolet", 0x9400d3),
    ("deeppink", 0xff1493), ("deepskyblue", 0x00bfff), ("dimgray", 0x696969), ("dimgrey", 0x696969),
    ("dodgerblue", 0x1e90ff), ("firebrick", 0xb22222), ("floralwhite", 0xfffaf0),
    ("forestgreen", 0x228b22), ("fuchsia", 0xff00ff), ("gainsboro", 0xdcdcdc),
    ("ghostwhite", 0xf8f8ff), ("gold", 0xffd700), ("goldenrod", 0xdaa520), ("gray", 0x808080),
    ("green", 0x008000), ("greenyellow", 0xadff2f), ("grey", 0x808080), ("honeydew", 0xf0fff0),
    ("hotpink", 0xff69b4), ("indianred", 0xcd5c5c), ("indigo", 0x4b0082), ("ivory", 0xfffff0),
    ("khaki", 0xf0e68c), ("lavender", 0xe6e6fa), ("lavenderblush", 0xfff0f5),
    ("lawngreen", 0x7cfc00), ("lemonchiffon", 0xfffacd), ("lightblue", 0xadd8e6),
    ("lightcoral", 0xf08080), ("lightcyan", 0xe0ffff), ("lightgoldenrodyellow", 0xfafad2),
    ("lightgray", 0xd3d3d3), ("lightgreen", 0x90ee90), ("lightgrey", 0xd3d3d3),
    ("lightpink", 0xffb6c1), ("lightsalmon", 0xffa07a), ("lightseagreen", 0x20b2aa),
    ("lightskyblue", 0x87cefa), ("lightslategray", 0x778899), ("lightslategrey", 0x778899),
    ("lightsteelblue", 0xb0c4de), ("lightyellow", 0xffffe0), ("lime", 0x00ff00),
    ("limegreen", 0x32cd32), ("linen", 0xfaf0e6), ("magenta", 0xff00ff), ("maroon", 0x800000),
    ("mediumaquamarine", 0x66cdaa), ("mediumblue", 0x0000cd), ("mediumorchid", 0xba55d3),
    ("mediumpurple", 0x9370db), ("mediumseagreen", 0x3cb371), ("mediumslateblue", 0x7b68ee),
    ("mediumspringgreen", 0x00fa9a), ("mediumturquoise", 0x48d1cc), ("mediumvioletred", 0xc71585),
    ("midnightblue", 0x191970), ("mintcream", 0xf5fffa), ("mistyrose", 0xffe4e1),
    ("moccasin", 0xffe4b5), ("navajowhite", 0xffdead), ("navy", 0x000080), ("oldlace", 0xfdf5e6),
    ("olive", 0x808000), ("olivedrab", 0x6b8e23), ("orange", 0xffa500), ("orangered", 0xff4500),
    ("orchid", 0xda70d6), ("palegoldenrod", 0xeee8aa), ("palegreen", 0x98fb98),
    ("paleturquoise", 0xafeeee), ("palevioletred", 0xdb7093), ("papayawhip", 0xffefd5),
    ("peachpuff", 0xffdab9), ("peru", 0xcd853f), ("pink", 0xffc0cb), ("plum", 0xdda0dd),
    ("powderblue", 0xb0e0e6), ("purple", 0x800080), ("rebeccapurple", 0x663399), ("red", 0xff0000),
    ("rosybrown", 0xbc8f8f), ("royalblue", 0x4169e1), ("saddlebrown", 0x8b4513),
    ("salmon", 0xfa8072), ("sandybrown", 0xf4a460), ("seagreen", 0x2e8b57), ("seashell", 0xfff5ee),
    ("sienna", 0xa0522d), ("silver", 0xc0c0c0), ("skyblue", 0x87ceeb), ("slateblue", 0x6a5acd),
    ("slategray", 0x708090), ("slategrey", 0x708090), ("snow", 0xfffafa), ("springgreen", 0x00ff7f),
    ("steelblue", 0x4682b4), ("tan", 0xd2b48c), ("teal", 0x008080), ("thistle", 0xd8bfd8),
    ("tomato", 0xff6347), ("turquoise", 0x40e0d0), ("violet", 0xee82ee), ("wheat", 0xf5deb3),
    ("white", 0xffffff), ("whitesmoke", 0xf5f5f5), ("yellow", 0xffff00), ("yellowgreen", 0x9acd32),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: Option<Paint>) {
        assert_eq!(parse(value), expected, "{value}");
    }

    #[test]
    fn colours_are_read_in_every_spelling() {
        for white in [
            "#fff",
            "#FFFFFF",
            "White",
            " rgb(255, 255,255)",
            "rgb(100% 100% 100%)",
            "hsl(9,0%,100%)",
        ] {
            check(white, Some(Paint::WHITE));
        }
        check("hsl(120, 100%, 25%)", Some(Paint::Solid([0, 128, 0])));
        check("hsl(-120deg 100% 50%)", Some(Paint::Solid([0, 0, 255])));
        check("#fff0", Some(Paint::Clear));
        check("rgba(0,0,0,0)", Some(Paint::Clear));
        check("rgba(0,0,0,.5)", Some(Paint::Unknown));
        check("var(--ink)", Some(Paint::Unknown));
        check("rgb(a,b,c)", Some(Paint::Unknown));
        for nothing in
            ["", "#", "#12345", "#ggg", "ünknown", "no-such-colour-in-this-world", "#日本"]
        {
            check(nothing, None);
        }
    }

    #[test]
    fn old_attributes_go_without_the_sign() {
        assert_eq!(legacy("FFFFFF"), Paint::WHITE);
        assert_eq!(legacy("black"), Paint::BLACK);
        assert_eq!(legacy("chucknorris"), Paint::Unknown);
    }

    #[test]
    fn names_are_in_order() {
        assert!(NAMES.is_sorted_by(|one, other| one.0 < other.0));
        assert!(NAMES.iter().all(|(name, _)| name.len() <= LONGEST));
    }

    #[test]
    fn only_what_nobody_can_read_vanishes() {
        let solid = |value: u8| Paint::Solid([value; 3]);
        assert!(Paint::WHITE.vanishes_on(Paint::WHITE));
        assert!(solid(240).vanishes_on(Paint::WHITE));
        assert!(!solid(238).vanishes_on(Paint::WHITE));
        assert!(Paint::Clear.vanishes_on(Paint::WHITE));
        assert!(!Paint::Clear.vanishes_on(Paint::Unknown));
        assert!(!Paint::WHITE.vanishes_on(Paint::Unknown));
    }
}
