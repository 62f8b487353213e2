//! The state of the pen: matrices, font, spacing, colour.

use std::rc::Rc;

use super::super::content::{Content, Operand};
use super::super::font::Font;

/// Six numbers that place a plane on another: `x' = ax + cy + e`, `y' = bx + dy + f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Matrix(pub(super) [f32; 6]);

impl Matrix {
    const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// Returns the matrix that applies this one first.
    pub(super) fn times(&self, then: &Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [ta, tb, tc, td, te, tf] = then.0;
        Self([
            a * ta + b * tc,
            a * tb + b * td,
            c * ta + d * tc,
            c * tb + d * td,
            e * ta + f * tc + te,
            e * tb + f * td + tf,
        ])
    }

    pub(super) fn apply(&self, x: f32, y: f32) -> (f32, f32) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    pub(super) fn origin(&self) -> (f32, f32) {
        (self.0[4], self.0[5])
    }

    /// Returns the unit vector of the direction of writing.
    pub(super) fn along(&self) -> (f32, f32) {
        let [a, b, ..] = self.0;
        let length = a.hypot(b);
        if length > 0.0 && length.is_finite() { (a / length, b / length) } else { (1.0, 0.0) }
    }

    /// Returns how high a unit is.
    pub(super) fn height(&self) -> f32 {
        let [_, _, c, d, ..] = self.0;
        c.hypot(d)
    }

    /// Returns the box around the unit square.
    pub(super) fn unit_box(&self) -> [f32; 4] {
        let corners =
            [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|(x, y)| self.apply(x, y));
        let fold = |start: f32, pick: fn(f32, f32) -> f32, of: fn(&(f32, f32)) -> f32| {
            corners.iter().map(of).fold(start, pick)
        };
        [
            fold(f32::MAX, f32::min, |corner| corner.0),
            fold(f32::MAX, f32::min, |corner| corner.1),
            fold(f32::MIN, f32::max, |corner| corner.0),
            fold(f32::MIN, f32::max, |corner| corner.1),
        ]
    }
}

/// What operators change.
#[derive(Clone)]
pub(super) struct State {
    /// From the plane of the operators to the page.
    pub(super) matrix: Matrix,
    text: Matrix,
    line: Matrix,
    pub(super) font: Option<Rc<Font>>,
    pub(super) size: f32,
    pub(super) spacing: f32,
    pub(super) word_spacing: f32,
    scale: f32,
    leading: f32,
    rise: f32,
    /// How letters are drawn; 3 is not at all.
    pub(super) mode: u8,
    /// Whether areas and letters are filled with white.
    pub(super) is_white: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            matrix: Matrix::IDENTITY,
            text: Matrix::IDENTITY,
            line: Matrix::IDENTITY,
            font: None,
            size: 1.0,
            spacing: 0.0,
            word_spacing: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
            mode: 0,
            is_white: false,
        }
    }
}

impl State {
    pub(super) fn set_font(&mut self, font: Option<Rc<Font>>, size: f32) {
        self.font = font;
        self.size = size;
    }

    /// Returns where the next letter is drawn.
    pub(super) fn place(&self) -> Matrix {
        let rise = Matrix([self.scale, 0.0, 0.0, 1.0, 0.0, self.rise]);
        rise.times(&self.text).times(&self.matrix)
    }

    /// Moves the pen along the line.
    pub(super) fn step(&mut self, width: f32) {
        let width = if width.is_finite() { width * self.scale } else { 0.0 };
        self.text = Matrix([1.0, 0.0, 0.0, 1.0, width, 0.0]).times(&self.text);
    }

    fn next_line(&mut self, x: f32, y: f32) {
        self.line = Matrix([1.0, 0.0, 0.0, 1.0, x, y]).times(&self.line);
        self.text = self.line;
    }

    /// Does what `'` and `"` do before they show their text.
    pub(super) fn before_show(&mut self, operator: &[u8], content: &Content<'_>) {
        if operator == b"\"" {
            self.word_spacing = content.number(0);
            self.spacing = content.number(1);
        }
        if matches!(operator, b"'" | b"\"") {
            self.next_line(0.0, -self.leading);
        }
    }

    /// Applies an operator; `false` if it is none of these.
    pub(super) fn apply(&mut self, operator: &[u8], content: &Content<'_>) -> bool {
        let number = |place| content.number(place);
        let six = || Matrix([0, 1, 2, 3, 4, 5].map(number));
        match operator {
            b"cm" => self.matrix = six().times(&self.matrix),
            b"BT" => {
                self.text = Matrix::IDENTITY;
                self.line = Matrix::IDENTITY;
            }
            b"Tm" => {
                self.text = six();
                self.line = self.text;
            }
            b"Td" => self.next_line(number(0), number(1)),
            b"TD" => {
                self.leading = -number(1);
                self.next_line(number(0), number(1));
            }
            b"T*" => self.next_line(0.0, -self.leading),
            b"Tc" => self.spacing = number(0),
            b"Tw" => self.word_spacing = number(0),
            b"Tz" => self.scale = number(0) / 100.0,
            b"TL" => self.leading = number(0),
            b"Ts" => self.rise = number(0),
            b"Tr" => self.mode = number(0) as u8,
            b"g" | b"rg" | b"k" | b"sc" | b"scn" => self.is_white = is_white(operator, content),
            b"cs" => self.is_white = false,
            _ => return false,
        }
        true
    }
}

/// Returns whether the colour of the operands is white, or nearly.
fn is_white(operator: &[u8], content: &Content<'_>) -> bool {
    let numbers: Vec<f32> = content
        .operands
        .iter()
        .filter_map(|operand| match operand {
            Operand::Number(number) => Some(*number),
            _ => None,
        })
        .collect();
    match (operator, numbers.as_slice()) {
        // Ink, so nothing of it is white.
        (b"k" | b"sc" | b"scn", [_, _, _, _]) => numbers.iter().all(|ink| *ink < 0.03),
        (b"g" | b"rg", light) | (b"sc" | b"scn", light @ [_, _, _]) => {
            !light.is_empty() && light.iter().all(|light| *light > 0.97)
        }
        _ => false,
    }
}
