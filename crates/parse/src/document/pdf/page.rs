//! Follows the pen over a page: where each text is drawn, how large, and whether it is seen.

use std::collections::HashMap;
use std::rc::Rc;

use base::HiddenReason;
use lopdf::{Dictionary, Object, ObjectId};

use super::content::{Content, Operand};
use super::font::Font;
use super::layout::{Layout, Run};
use super::link::{Area, Letters};
use super::{Page, STREAM_BYTES, dictionary_of};

mod state;

use state::{Matrix, State};

/// Forms inside of forms.
const DEPTH: usize = 8;
/// Operators followed in one document: the densest map on a page has a million.
const OPERATORS: usize = 4_000_000;
/// Saved states of the pen.
const SAVED: usize = 512;
/// Fonts kept.
const FONTS: usize = 2_000;
/// Painted areas kept of one page, to tell what white letters stand on.
const AREAS: usize = 500;

/// Reads pages of one document.
pub(super) struct Painter<'a> {
    document: &'a lopdf::Document,
    fonts: HashMap<ObjectId, Rc<Font>>,
    /// Bytes of streams that may still be unpacked.
    left: usize,
    operators: usize,
    /// Whether something was left out for the limits.
    pub(super) is_cut: bool,
}

/// What is known of the page that is being read.
struct Sheet<'p> {
    shown: [f32; 4],
    /// Boxes around what was painted in another colour than white.
    areas: Vec<[f32; 4]>,
    path: Option<[f32; 4]>,
    has_picture: bool,
    /// Where its links lie.
    links: &'p [Area],
    layout: &'p mut Layout,
}

impl<'a> Painter<'a> {
    pub(super) fn new(document: &'a lopdf::Document, bytes: usize) -> Self {
        Self { document, fonts: HashMap::new(), left: bytes, operators: OPERATORS, is_cut: false }
    }

    /// Reads a page.
    pub(super) fn page(&mut self, page: &Page<'a>, links: &[Area], layout: &mut Layout) {
        let mut content = Vec::new();
        let contents = page.dictionary.get_deref(b"Contents", self.document).ok();
        let parts = match contents {
            Some(Object::Array(parts)) => parts.iter().collect(),
            Some(part) => vec![part],
            None => Vec::new(),
        };
        for part in parts {
            let part = self.document.dereference(part).map(|(_, object)| object);
            if let Ok(Object::Stream(stream)) = part {
                content.extend(self.unpack(stream));
                // Parts are joined as if there were white space between them.
                content.push(b'\n');
            }
        }
        let mut sheet = Sheet {
            shown: page.shown,
            areas: Vec::new(),
            path: None,
            has_picture: page.resources.is_some_and(|found| has_picture(self.document, found)),
            links,
            layout,
        };
        self.run(&content, page.resources, State::default(), 0, &mut sheet);
    }

    /// Unpacks a stream as long as there is room.
    fn unpack(&mut self, stream: &lopdf::Stream) -> Vec<u8> {
        let most = self.left.min(STREAM_BYTES);
        let Ok(bytes) = stream.get_plain_content_with_limit(most) else {
            self.is_cut = true;
            return Vec::new();
        };
        self.left -= bytes.len().min(self.left);
        bytes
    }

    /// Follows the operators of a stream.
    fn run(
        &mut self,
        bytes: &[u8],
        resources: Option<&'a Dictionary>,
        state: State,
        depth: usize,
        sheet: &mut Sheet<'_>,
    ) {
        let mut content = Content::new(bytes);
        let mut state = state;
        let mut saved = Vec::new();
        while let Some(operator) = content.next() {
            if self.operators == 0 {
                self.is_cut = true;
                return;
            }
            self.operators -= 1;
            match operator {
                b"q" if saved.len() < SAVED => saved.push(state.clone()),
                b"Q" => state = saved.pop().unwrap_or(state),
                b"Tf" => {
                    let font = content.name().and_then(|name| self.font(name, resources));
                    state.set_font(font, content.number(1));
                }
                b"Do" => {
                    let name = content.name().unwrap_or_default();
                    self.object(name, resources, &state, depth, sheet);
                }
                b"Tj" | b"'" | b"\"" | b"TJ" => {
                    state.before_show(operator, &content);
                    for operand in &content.operands {
                        show(operand, &mut state, sheet);
                    }
                }
                operator => {
                    if !state.apply(operator, &content) {
                        sheet.paint(operator, &content, &state);
                    }
                }
            }
        }
    }

    /// Returns a font of the page.
    fn font(&mut self, name: &[u8], resources: Option<&'a Dictionary>) -> Option<Rc<Font>> {
        let fonts = dictionary_of(self.document, resources?, b"Font")?;
        let entry = fonts.get(name).ok()?;
        let id = entry.as_reference().ok();
        if let Some(known) = id.and_then(|id| self.fonts.get(&id)) {
            return Some(known.clone());
        }
        let font = self.document.dereference(entry).ok()?.1.as_dict().ok()?;
        let font = Rc::new(Font::read(self.document, font));
        if let Some(id) = id
            && self.fonts.len() < FONTS
        {
            self.fonts.insert(id, font.clone());
        }
        Some(font)
    }

    /// Draws an object: a form is read like a page, a picture covers an area.
    fn object(
        &mut self,
        name: &[u8],
        resources: Option<&'a Dictionary>,
        state: &State,
        depth: usize,
        sheet: &mut Sheet<'_>,
    ) {
        let objects = resources.and_then(|found| dictionary_of(self.document, found, b"XObject"));
        let object = objects.and_then(|objects| objects.get_deref(name, self.document).ok());
        let Some(Object::Stream(stream)) = object else { return };
        let kind = stream.dict.get(b"Subtype").and_then(Object::as_name).unwrap_or_default();
        if kind != b"Form" {
            return sheet.cover(state.matrix.unit_box());
        }
        if depth >= DEPTH {
            self.is_cut = true;
            return;
        }
        let content = self.unpack(stream);
        let inner = dictionary_of(self.document, &stream.dict, b"Resources").or(resources);
        let mut state = state.clone();
        let matrix = stream.dict.get_deref(b"Matrix", self.document).and_then(Object::as_array);
        if let Ok(numbers) = matrix {
            let numbers: Vec<f32> = numbers.iter().filter_map(|n| n.as_float().ok()).collect();
            if let Ok(numbers) = <[f32; 6]>::try_from(numbers) {
                state.matrix = Matrix(numbers).times(&state.matrix);
            }
        }
        self.run(&content, inner, state, depth + 1, sheet);
    }
}

/// Returns whether a page shows pictures: unseen letters over them are what a scanner read.
fn has_picture(document: &lopdf::Document, resources: &Dictionary) -> bool {
    let Some(objects) = dictionary_of(document, resources, b"XObject") else { return false };
    objects.iter().take(64).any(|(_, object)| {
        let object = document.dereference(object).map(|(_, object)| object);
        let stream = object.and_then(Object::as_stream);
        stream.is_ok_and(|stream| {
            stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Image")
        })
    })
}

/// Draws the texts of an operand.
fn show(operand: &Operand, state: &mut State, sheet: &mut Sheet<'_>) {
    match operand {
        Operand::Text(bytes) => text(bytes, state, sheet),
        Operand::Array(parts) => {
            for part in parts {
                match part {
                    Operand::Number(back) => state.step(-back / 1_000.0 * state.size),
                    Operand::Text(bytes) => text(bytes, state, sheet),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// Draws a text: one run per string, letter by letter only as far as the pen is moved.
fn text(bytes: &[u8], state: &mut State, sheet: &mut Sheet<'_>) {
    let Some(font) = state.font.clone() else { return };
    let place = state.place();
    let start = place.origin();
    let mut drawn = String::new();
    let mut pulled = 0.0;
    let mut letters = Letters::default();
    for glyph in font.glyphs(bytes) {
        // Pages without links do without places of letters.
        if !sheet.links.is_empty() {
            letters.push(drawn.len(), state.place().origin());
        }
        // A hyphen that may be drawn is drawn here; at the end of a line it is taken out later.
        drawn.push_str(if glyph.text == "\u{AD}" { "-" } else { &glyph.text });
        let spacing = state.spacing + if glyph.is_space { state.word_spacing } else { 0.0 };
        let width = glyph.width * font.unit * state.size + spacing;
        state.step(width);
        // Letters drawn closer together: the last one ends where it ends all the same.
        pulled = spacing.min(0.0);
        // Letters set apart far enough are words: a heading in s p a c e d letters is not.
        if spacing > 0.6 * state.size.abs() {
            drawn.push(' ');
        }
    }
    if drawn.is_empty() {
        return;
    }
    let end = state.place().origin();
    let along = place.along();
    let size = state.size.abs() * place.height();
    let scale = place.0[0].hypot(place.0[1]);
    let length = (end.0 - start.0).hypot(end.1 - start.1) - pulled * scale;
    if let Some(reason) = sheet.hides(state, start, size) {
        sheet.layout.hide(reason, &drawn);
        return;
    }
    letters.push(drawn.len(), end);
    let marks = letters.marks(sheet.links, (-along.1 * size, along.0 * size));
    sheet.layout.run(&Run { text: &drawn, x: start.0, y: start.1, along, length, size }, &marks);
}

impl Sheet<'_> {
    /// Says whether letters that begin at a place are unseen, and why (PDF-12).
    fn hides(&self, state: &State, (x, y): (f32, f32), size: f32) -> Option<HiddenReason> {
        let [left, bottom, right, top] = self.shown;
        let is_on_page =
            x >= left - size && x <= right + size && y >= bottom - size && y <= top + size;
        if !is_on_page {
            return Some(HiddenReason::OffScreen);
        }
        if state.mode == 3 && !self.has_picture {
            return Some(HiddenReason::NotShown);
        }
        if size < 1.0 {
            return Some(HiddenReason::Tiny);
        }
        let covers = |[left, bottom, right, top]: &[f32; 4]| {
            x >= left - 1.0 && x <= right + 1.0 && y >= bottom - 1.0 && y <= top + 1.0
        };
        if state.is_white && state.mode == 0 && !self.areas.iter().any(covers) {
            return Some(HiddenReason::Colour);
        }
        None
    }

    /// Notes an area that is not white any more.
    fn cover(&mut self, area: [f32; 4]) {
        if self.areas.len() < AREAS {
            self.areas.push(area);
        }
    }

    /// Follows paths as far as to know which areas are painted.
    fn paint(&mut self, operator: &[u8], content: &Content<'_>, state: &State) {
        let number = |place| content.number(place);
        match operator {
            b"re" => {
                let (x, y) = (number(0), number(1));
                self.reach(state, x, y);
                self.reach(state, x + number(2), y + number(3));
            }
            b"m" | b"l" => self.reach(state, number(0), number(1)),
            b"c" => self.reach(state, number(4), number(5)),
            b"v" | b"y" => self.reach(state, number(2), number(3)),
            b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" => {
                if let Some(path) = self.path.take()
                    && !state.is_white
                {
                    self.cover(path);
                }
            }
            b"sh" => self.cover(self.shown),
            b"n" | b"s" | b"S" => self.path = None,
            _ => {}
        }
    }

    fn reach(&mut self, state: &State, x: f32, y: f32) {
        let (x, y) = state.matrix.apply(x, y);
        let [left, bottom, right, top] = self.path.unwrap_or([x, y, x, y]);
        self.path = Some([left.min(x), bottom.min(y), right.max(x), top.max(y)]);
    }
}
