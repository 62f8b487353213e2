//! The bow-tie as a picture, and the degrees as a plot.
//!
//! ```text
//!        in          core          out            names, counts, shares
//!       ▙▖            ●             ▗▟            areas in proportion
//!   tendrils ●   tubes ●   tendrils ●   fringe ●   islands ●
//! ```
//! One scale holds for all areas, as large as the largest shape allows.

use std::f64::consts::PI;

use super::plot::{self, Axis, Mark, Scale, Series, Unit};
use super::svg::{Picture, escaped, grouped, short};
use super::{BowTie, Degrees, Part};
use crate::structure::degrees::zeta;

const WIDTH: u32 = 900;
const HEIGHT: u32 = 700;
/// Middle of the upper row and its height.
const MIDDLE: f64 = 245.0;
const TALL: f64 = 250.0;
/// Width that the upper row may fill.
const WIDE: f64 = 850.0;
/// Middle of the lower row and its largest circle.
const LOWER: f64 = 510.0;
const LOWER_TALL: f64 = 160.0;
/// Smallest shape drawn for what is there, across.
const DOT: f64 = 4.0;
/// A wing is this wide for each unit of its height; its inner end a third as high as its outer.
const WING: f64 = 0.9;

/// Draws a bow-tie as an SVG: every part with its count and share, areas in linear proportion.
///
/// `noun` says what the nodes are (`pages`, `hosts`). Title and noun are escaped and cut to what
/// fits. A part too small to be seen is drawn as a dot, which the caption says.
pub fn draw_bow_tie(bow_tie: &BowTie, title: &str, noun: &str) -> String {
    let noun = super::svg::cut(noun, 20);
    let told = |part: &Part| format!("{}: {}", part.name(), told(bow_tie, *part, &noun));
    let description = Part::ALL.iter().map(told).collect::<Vec<_>>().join("; ");
    let mut picture = Picture::new(WIDTH, HEIGHT, title, &description);
    let layout = Layout::new(bow_tie);
    layout.draw_ways(&mut picture);
    layout.draw_upper(&mut picture, &noun);
    layout.draw_lower(&mut picture, &noun);
    let total = grouped(bow_tie.num_nodes());
    let components = grouped(bow_tie.num_components());
    let counted = format!("{total} {noun} in {components} strongly connected components.");
    picture.words(24.0, 662.0, "lf-text lf-small", &escaped(&counted));
    let caption = "Areas are in linear proportion to the counts; what would be too small to see is \
                   a dot. Arrows show where links lead.";
    picture.words(24.0, 682.0, "lf-text lf-small", caption);
    picture.finish()
}

/// Returns count and share in words, not escaped.
fn told(bow_tie: &BowTie, part: Part, noun: &str) -> String {
    let share = bow_tie.share(part) * 100.0;
    let share = match bow_tie.count(part) {
        0 => "0%".to_owned(),
        _ if share < 0.1 => "under 0.1%".to_owned(),
        _ => format!("{share:.1}%"),
    };
    format!("{} {noun}, {share}", grouped(bow_tie.count(part)))
}

/// The sizes of all shapes.
struct Layout<'a> {
    bow_tie: &'a BowTie,
    /// Pixels across for one unit across.
    scale: f64,
    /// Left end of the upper row.
    left: f64,
}

/// The lower row, from left to right.
const LOWER_ROW: [Part; 5] =
    [Part::TendrilOfIn, Part::Tube, Part::TendrilOfOut, Part::Fringe, Part::Island];

impl<'a> Layout<'a> {
    fn new(bow_tie: &'a BowTie) -> Self {
        let mut layout = Self { bow_tie, scale: 1.0, left: 0.0 };
        let fits = |size: f64, room: f64| if size > 0.0 { room / size } else { f64::INFINITY };
        let upper = [Part::Core, Part::In, Part::Out].map(|part| fits(layout.size(part), TALL));
        let lower = LOWER_ROW.map(|part| fits(layout.size(part), LOWER_TALL));
        let wide = fits(layout.width(), WIDE);
        let all = upper.into_iter().chain(lower).chain([wide]);
        let scale = all.fold(f64::INFINITY, f64::min);
        // Nothing to draw has no scale.
        layout.scale = if scale.is_finite() { scale } else { 1.0 };
        layout.left = (f64::from(WIDTH) - layout.width()) / 2.0;
        layout
    }

    /// Returns how tall a part's shape is. Its area is its count times the square of the scale.
    fn size(&self, part: Part) -> f64 {
        let area = self.bow_tie.count(part) as f64;
        let size = match part {
            // (height + height / 3) / 2 · WING · height
            Part::In | Part::Out => (area / (WING * 2.0 / 3.0)).sqrt(),
            _ => 2.0 * (area / PI).sqrt(),
        };
        self.scale * size
    }

    fn width(&self) -> f64 {
        self.size(Part::Core) + WING * (self.size(Part::In) + self.size(Part::Out))
    }

    /// Returns a shape's middle.
    fn middle(&self, part: Part) -> (f64, f64) {
        let (wing, core) = (WING * self.size(Part::In), self.size(Part::Core));
        match part {
            Part::In => (self.left + wing / 2.0, MIDDLE),
            Part::Core => (self.left + wing + core / 2.0, MIDDLE),
            Part::Out => (self.left + wing + core + WING * self.size(Part::Out) / 2.0, MIDDLE),
            _ => {
                let column = LOWER_ROW.iter().position(|lower| *lower == part).unwrap_or(0);
                (90.0 + 180.0 * column as f64, LOWER)
            }
        }
    }

    fn draw_upper(&self, picture: &mut Picture, noun: &str) {
        for (part, column) in [(Part::In, 150.0), (Part::Core, 450.0), (Part::Out, 750.0)] {
            let ((x, y), size) = (self.middle(part), self.size(part));
            self.label(picture, part, noun, (column, 70.0));
            if self.bow_tie.count(part) > 0 {
                let (top, from) = (y - size / 3.0 + 2.0, 96.0);
                picture.put(format_args!(
                    "<path class=\"lf-thin\" stroke-dasharray=\"1 3\" d=\"M{column} {from}L{x:.1} {top:.1}\"/>"
                ));
                self.shape(picture, part, noun);
            }
        }
    }

    fn draw_lower(&self, picture: &mut Picture, noun: &str) {
        for part in LOWER_ROW {
            let (x, _) = self.middle(part);
            self.label(picture, part, noun, (x, 612.0));
            if self.bow_tie.count(part) > 0 {
                self.shape(picture, part, noun);
            }
        }
    }

    fn label(&self, picture: &mut Picture, part: Part, noun: &str, (x, y): (f64, f64)) {
        picture.words(x, y, "lf-text lf-mid lf-name", part.name());
        let text = escaped(&told(self.bow_tie, part, noun));
        picture.words(x, y + 19.0, "lf-text lf-mid lf-small", &text);
    }

    fn shape(&self, picture: &mut Picture, part: Part, noun: &str) {
        let ((x, y), size) = (self.middle(part), self.size(part).max(DOT));
        let name = short(&format!("{}: {}", part.name(), told(self.bow_tie, part, noun)), 100);
        let colour = match part {
            Part::Core => 0,
            Part::In => 2,
            Part::Out => 1,
            Part::TendrilOfIn | Part::TendrilOfOut | Part::Tube => 3,
            Part::Fringe | Part::Island => 6,
        };
        picture.put(format_args!("<g class=\"lf-f{colour}\"><title>{name}</title>"));
        let half = size / 2.0;
        match part {
            Part::In | Part::Out => {
                let toward = if part == Part::In { 1.0 } else { -1.0 };
                let (outer, inner) = (x - toward * WING * half, x + toward * WING * half);
                picture.put(format_args!(
                    "<path d=\"M{outer:.1} {:.1}L{inner:.1} {:.1}V{:.1}L{outer:.1} {:.1}Z\"/>",
                    y - half,
                    y - half / 3.0,
                    y + half / 3.0,
                    y + half
                ));
            }
            _ => picture.put(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{half:.1}\"/>")),
        }
        picture.put(format_args!("</g>"));
    }

    /// Draws where links lead between the rows.
    fn draw_ways(&self, picture: &mut Picture) {
        let ways = [
            (Part::In, Part::TendrilOfIn),
            (Part::In, Part::Tube),
            (Part::Tube, Part::Out),
            (Part::TendrilOfOut, Part::Out),
        ];
        for (from, to) in ways {
            if self.bow_tie.count(from) > 0 && self.bow_tie.count(to) > 0 {
                self.way(picture, from, to);
            }
        }
    }

    fn way(&self, picture: &mut Picture, from: Part, to: Part) {
        // Ways leave and enter a wing below its middle and a circle above it: on the left if they
        // lead there, on the right if they come from there.
        let end = |part: Part, toward: f64| {
            let ((x, y), size) = (self.middle(part), self.size(part).max(DOT));
            match part {
                Part::In | Part::Out => (x, y + size / 3.0, 1.0),
                _ => (x + toward * 0.3 * size, y - 0.4 * size, -1.0),
            }
        };
        let ((x1, y1, _), (x2, y2, side)) = (end(from, 1.0), end(to, -1.0));
        let (tip, bend) = (y2 + side * 3.0, (y1 + y2) / 2.0);
        let back = tip + side * 9.0;
        picture.put(format_args!(
            "<path class=\"lf-thin\" d=\"M{x1:.1} {y1:.1}C{x1:.1} {bend:.1} {x2:.1} {bend:.1} {x2:.1} {back:.1}\"/>\
             <path class=\"lf-tip\" d=\"M{x2:.1} {tip:.1}L{:.1} {back:.1}H{:.1}Z\"/>",
            x2 - 4.5,
            x2 + 4.5
        ));
    }
}

/// Draws how many nodes have how many in-links and links, on logarithmic axes, with the power law
/// through each tail.
///
/// Each dot stands for a range of degrees (1, 2–3, 4–7, …): the number of nodes per degree, over
/// the geometric middle of the range. Title and noun are escaped and cut to what fits.
pub fn draw_degrees(into: &Degrees, out: &Degrees, title: &str, noun: &str) -> String {
    let mut series = Vec::new();
    for (degrees, name) in [(into, "in-links"), (out, "out-links")] {
        let bins = degrees.bins();
        let point = |bin: &super::Bin| {
            // The last range ends where the degrees do.
            let (from, to) = (f64::from(bin.from), f64::from(bin.to.min(degrees.max)));
            ((from * to).sqrt(), bin.count as f64 / (to - from + 1.0))
        };
        let points = bins.iter().map(point).collect();
        series.push(Series { name: name.to_owned(), points, mark: Mark::Dots });
        if let Some(law) = &degrees.power_law {
            let whole = law.n as f64 / zeta(law.alpha, f64::from(law.x_min));
            let point =
                |degree: u32| (f64::from(degree), whole * f64::from(degree).powf(-law.alpha));
            let name = format!("{name}: x^−{:.2} from {}", law.alpha, law.x_min);
            let points = vec![point(law.x_min), point(degrees.max)];
            series.push(Series { name, points, mark: Mark::Line });
        }
    }
    let axis = |label| Axis { label, scale: Scale::Log, unit: Unit::Number };
    let y = axis(format!("{} with that many", super::svg::cut(noun, 20)));
    plot::lines(title, (&axis("number of links".to_owned()), &y), &series)
}
