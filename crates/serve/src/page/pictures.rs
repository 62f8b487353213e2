//! The page of pictures.
//!
//! It names pictures and draws their shape. Where somebody fetches them for us (`picture.rs`) they
//! are shown in it, from an address of ours: a page that loaded them from where they are would
//! tell every site in the list who is looking (WEB-25).

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use base::Url;
use rank::{Picture, Pictures};

use super::paging::Paging;
use super::results::unfiltered;
use super::{Asked, Frame, PICTURES_PATH, left_out, problem_page, refuse, show};
use crate::app::App;
use crate::filters::{self, Menu};
use crate::params::{Params, WINDOW};
use crate::problem::Problem;
use crate::tongue::Tongue;
use crate::view::{TITLE_CHARS, beside, host_of, href, shorten, visible};
use crate::visit::Visit;

/// Pictures on a page: rows of two, three and four are full.
const COUNT: usize = 24;
/// The largest shape that is drawn, in pixels.
const SHAPE: (u32, u32) = (192, 144);

#[derive(Template)]
#[template(path = "pictures.html")]
struct PicturesPage<'a> {
    frame: Frame<'a>,
    notes: Vec<String>,
    pictures: Vec<PictureView>,
    paging: Paging,
    menus: Vec<Menu>,
    chips: Vec<filters::Choice>,
    unfiltered: Option<String>,
    /// How many pictures of blocked sites are not shown.
    left_out: Option<String>,
}

/// One picture as it is shown.
struct PictureView {
    /// Where it is.
    href: String,
    /// Where its pixels come from.
    source: Option<String>,
    /// Whether its shape is drawn.
    is_drawn: bool,
    /// What it shows, or what its file is called.
    name: String,
    /// `640 × 480`, if the page tells.
    size: Option<String>,
    /// The shape that is drawn for it.
    width: u32,
    height: u32,
    /// The page it is on.
    page: String,
    title: String,
    host: String,
}

impl PictureView {
    fn new(picture: &Picture, app: &App, tongue: Tongue) -> Self {
        let rewrites = &app.options.link_rewrites;
        let (width, height) = shape(picture.width, picture.height);
        let name = match visible(&picture.alt).trim() {
            "" => file_name(picture),
            alt => shorten(alt, TITLE_CHARS),
        };
        let showing = app.pictures_shown.as_ref().filter(|_| !is_drawing(&picture.url));
        let source = showing.map(|showing| showing.path(&picture.url));
        let number = |side: u32| tongue.number(side.into());
        let is_known = picture.width > 0 && picture.height > 0;
        Self {
            href: href(&picture.url, rewrites),
            // Behind a picture of another shape it would look out at its sides.
            is_drawn: is_known || source.is_none(),
            source,
            name,
            size: is_known
                .then(|| format!("{} × {}", number(picture.width), number(picture.height))),
            width,
            height,
            page: href(&picture.page_url, rewrites),
            title: shorten(&visible(&picture.page_title), TITLE_CHARS),
            host: host_of(&picture.page_url),
        }
    }

    /// Returns the rest of a path that draws two hills into the shape.
    fn hill(&self) -> String {
        let (w, h) = (self.width, self.height);
        let at = |x: u32, y: u32| format!("{} {}", w * x / 100, h * y / 100);
        format!("L{} L{} L{} L{}Z", at(32, 48), at(52, 78), at(70, 60), at(100, 100))
    }
}

/// Returns whether an address names a drawing (SVG), which is a document and never shown.
fn is_drawing(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    path.ends_with(".svg") || path.ends_with(".svgz")
}

/// Returns the last step of a picture's address.
fn file_name(picture: &Picture) -> String {
    let last = picture.url.path().rsplit('/').find(|step| !step.is_empty()).unwrap_or_default();
    let name = if last.is_empty() { picture.url.host_str() } else { last };
    shorten(&visible(&crate::params::decode_percent(name).unwrap_or_else(|| name.to_owned())), 60)
}

/// Returns a size with the same proportions that fits; three by four where none is known.
fn shape(width: u32, height: u32) -> (u32, u32) {
    if width == 0 || height == 0 {
        return SHAPE;
    }
    let (wide, high) = (f64::from(width), f64::from(height));
    let scale = (f64::from(SHAPE.0) / wide).min(f64::from(SHAPE.1) / high);
    // A line is still something to click.
    let side = |length: f64| ((length * scale).round() as u32).max(32);
    (side(wide).min(SHAPE.0), side(high).min(SHAPE.1))
}

/// `GET /pictures?q=…&offset=…`
pub(crate) async fn pictures(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
) -> Response<Body> {
    let Asked { visit, params, query } = match Asked::read(&app, &headers, &uri) {
        Ok(asked) => asked,
        Err(instead) => return *instead,
    };
    let params = Params { count: COUNT.min(WINDOW - params.offset), ..params };
    match app.pictures(&query, &params).await {
        Ok(Some(found)) => show(&pictures_page(&app, &visit, &query, &params, &found)),
        Ok(None) => refuse(&app, &visit, &Problem::not_found()),
        Err(problem) => problem_page(&app, &visit, &query, &problem),
    }
}

fn pictures_page<'a>(
    app: &'a App,
    visit: &Visit,
    query: &'a str,
    params: &Params,
    found: &'a Pictures,
) -> PicturesPage<'a> {
    let tongue = visit.tongue;
    let path = |params: &Params| beside(query, 0) + &params.choices();
    let view = |picture| PictureView::new(picture, app, tongue);
    PicturesPage {
        frame: Frame::new(app, visit, query).keeping(params).with_tabs(app, params, PICTURES_PATH),
        notes: found.notes.iter().map(|note| tongue.note(note)).collect(),
        pictures: found.pictures.iter().map(view).collect(),
        paging: Paging::new(query, params, found.listed, COUNT, tongue),
        menus: filters::menus(params, &[], tongue, path),
        chips: filters::chips(params, tongue, path),
        unfiltered: params.is_filtered().then(|| path(&unfiltered(params))),
        left_out: left_out(tongue, found.blocked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_known_by_their_ending() {
        let is_drawing = |url: &str| is_drawing(&Url::parse(url).unwrap());
        assert!(is_drawing("http://a.example/a.SVG?x") && is_drawing("http://a.example/a.svgz"));
        assert!(
            !is_drawing("http://a.example/a.png?b=.svg") && !is_drawing("http://a.example/svg")
        );
    }

    #[test]
    fn shapes_keep_their_proportions_and_fit() {
        for (size, expected) in [
            ((1_920, 1_080), (192, 108)),
            ((300, 600), (72, 144)),
            ((10, 10), (144, 144)),
            ((0, 480), SHAPE),
            ((10_000, 1), (192, 32)),
            ((u32::MAX, u32::MAX), (144, 144)),
        ] {
            assert_eq!(shape(size.0, size.1), expected, "{size:?}");
        }
    }
}
