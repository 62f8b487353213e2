//! A small plot of a few lines over two axes.
//!
//! For degree distributions here, and for whatever else compares some curves: how much PageRank
//! has been gathered after how many pages, how fast an iteration converges. What cannot be drawn
//! (a number that is none, a zero on a logarithmic axis) is left out, never an error.

mod ticks;

use std::fmt::Write as _;

use super::svg::{NUM_COLOURS, Picture, cut, escaped, short};
use ticks::Ruler;

const WIDTH: u32 = 860;
const HEIGHT: u32 = 480;
/// Where the plot itself lies; the legend is to the right of it.
const LEFT: f64 = 84.0;
const RIGHT: f64 = 600.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 410.0;
/// More points of a series than this are thinned out: they would lie within a pixel.
const MAX_POINTS: usize = 2_000;
/// Lines differ in their dashes too, for print and for eyes that see fewer colours.
const DASHES: [&str; 4] = ["none", "7 4", "2 3", "9 3 2 3"];

/// And points in their shapes, drawn around them: disc, square, triangle, diamond.
const DOTS: [&str; 4] = [
    "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
    "m-3.2 -3.2h6.4v6.4h-6.4z",
    "m0 -4.4l4.4 7.6h-8.8z",
    "m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z",
];

/// What one axis shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// What is measured.
    pub label: String,
    /// How numbers are laid out.
    pub scale: Scale,
    /// How numbers are written.
    pub unit: Unit,
}

/// How numbers are laid out on an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Evenly, from 0 if none is negative.
    #[default]
    Linear,
    /// By powers of ten; numbers that are not above 0 are left out.
    Log,
}

/// How numbers are written on an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// As they are.
    #[default]
    Number,
    /// As shares of a hundred: 0.5 is 50%.
    Percent,
}

/// One line of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points (x, y), in the order in which they are joined.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub mark: Mark,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Points joined by a line.
    #[default]
    Line,
    /// Points alone.
    Dots,
}

/// Draws series over an x axis and a y axis as an SVG, with a legend.
///
/// At most 8 series are drawn, and the legend says how many were left out; each is thinned to
/// some 2,000 points. Points with a number beyond ±1e15, or one that is none, are left out. All
/// texts are escaped and cut to what fits. O(points).
pub fn lines(title: &str, axes: (&Axis, &Axis), series: &[Series]) -> String {
    let drawn = &series[..series.len().min(NUM_COLOURS)];
    let kept: Vec<Vec<(f64, f64)>> = drawn.iter().map(|series| kept(series, axes)).collect();
    let all = || kept.iter().flatten();
    let x = Ruler::new(axes.0, (LEFT, RIGHT), all().map(|point| point.0));
    let y = Ruler::new(axes.1, (BOTTOM, TOP), all().map(|point| point.1));
    let mut picture = Picture::new(WIDTH, HEIGHT, title, &description(axes, drawn, &kept));
    draw_axes(&mut picture, axes, &x, &y);
    if all().next().is_none() {
        picture.words((LEFT + RIGHT) / 2.0, 230.0, "lf-text lf-mid", "nothing to draw");
    }
    for (number, (series, points)) in drawn.iter().zip(&kept).enumerate() {
        let placed = points.iter().map(|point| (x.place(point.0), y.place(point.1)));
        draw_series(&mut picture, number, series, placed);
    }
    if series.len() > drawn.len() {
        let more = format!("and {} more, not drawn", series.len() - drawn.len());
        picture.words(RIGHT + 24.0, legend_y(drawn.len()), "lf-text lf-small", &more);
    }
    picture.finish()
}

/// Returns the points of a series that can be drawn, thinned evenly; the last one stays.
fn kept(series: &Series, axes: (&Axis, &Axis)) -> Vec<(f64, f64)> {
    let fits = |axis: &Axis, number: f64| match axis.scale {
        Scale::Linear => number.abs() <= 1e15,
        Scale::Log => (1e-15..=1e15).contains(&number),
    };
    let can = |point: &(f64, f64)| fits(axes.0, point.0) && fits(axes.1, point.1);
    let points: Vec<_> = series.points.iter().copied().filter(can).collect();
    let step = points.len().div_ceil(MAX_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let stays = |(place, _): &(usize, &(f64, f64))| place % step == 0 || *place == last;
    points.iter().enumerate().filter(stays).map(|(_, point)| *point).collect()
}

/// Says in words what the plot shows: each series with its ends.
fn description(axes: (&Axis, &Axis), drawn: &[Series], kept: &[Vec<(f64, f64)>]) -> String {
    let (x, y) = (cut(&axes.0.label, 60), cut(&axes.1.label, 60));
    let mut text = format!("{y} (vertical) against {x} (horizontal).");
    for (series, points) in drawn.iter().zip(kept) {
        let name = cut(&series.name, 60);
        let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
        let value = |axis: &Axis, number| ticks::written(number, axis.unit);
        let _ = write!(
            text,
            " {name}: from {} at {} to {} at {}.",
            value(axes.1, first.1),
            value(axes.0, first.0),
            value(axes.1, last.1),
            value(axes.0, last.0),
        );
    }
    text
}

fn draw_axes(picture: &mut Picture, axes: (&Axis, &Axis), x: &Ruler, y: &Ruler) {
    for (at, label) in x.ticks() {
        picture
            .put(format_args!("<path class=\"lf-thin lf-grid\" d=\"M{at:.1} {TOP}V{BOTTOM}\"/>"));
        picture.words(at, BOTTOM + 20.0, "lf-text lf-small lf-mid", &escaped(&label));
    }
    for (at, label) in y.ticks() {
        picture
            .put(format_args!("<path class=\"lf-thin lf-grid\" d=\"M{LEFT} {at:.1}H{RIGHT}\"/>"));
        picture.words(LEFT - 8.0, at + 4.0, "lf-text lf-small lf-end", &escaped(&label));
    }
    picture.put(format_args!("<path class=\"lf-thin\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>"));
    let middle = (LEFT + RIGHT) / 2.0;
    picture.words(middle, BOTTOM + 46.0, "lf-text lf-mid", &short(&axes.0.label, 60));
    let (label, middle) = (short(&axes.1.label, 45), (TOP + BOTTOM) / 2.0);
    picture.put(format_args!(
        "<text transform=\"translate(22 {middle}) rotate(-90)\" class=\"lf-text lf-mid\">{label}</text>"
    ));
}

fn legend_y(number: usize) -> f64 {
    TOP + 14.0 + 26.0 * number as f64
}

fn draw_series(
    picture: &mut Picture,
    number: usize,
    series: &Series,
    points: impl Iterator<Item = (f64, f64)>,
) {
    let (name, at) = (short(&series.name, 60), legend_y(number));
    picture.put(format_args!("<g><title>{name}</title>"));
    let (from, to) = (RIGHT + 24.0, RIGHT + 52.0);
    let dashes = DASHES[number % DASHES.len()];
    match series.mark {
        Mark::Line => {
            let mut path = String::new();
            for (place, (x, y)) in points.enumerate() {
                let _ = write!(path, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
            }
            let sample = format!("M{from} {0}H{to}", at - 4.0);
            for path in [path, sample] {
                picture.put(format_args!(
                    "<path class=\"lf-line lf-s{number}\" stroke-dasharray=\"{dashes}\" d=\"{path}\"/>"
                ));
            }
        }
        Mark::Dots => {
            let mut path = String::new();
            for (x, y) in points.chain([(f64::midpoint(from, to), at - 4.0)]) {
                let _ = write!(path, "M{x:.1} {y:.1}{}", DOTS[number % DOTS.len()]);
            }
            picture.put(format_args!("<path class=\"lf-f{number}\" d=\"{path}\"/>"));
        }
    }
    picture.put(format_args!("</g>"));
    picture.words(to + 8.0, at, "lf-text lf-small", &short(&series.name, 28));
}
