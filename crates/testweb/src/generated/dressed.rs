//! Writes pages the way content-management systems do: for every word of text, two of mark-up.
//!
//! Text, links and marks are those of the plain page; around them stand a head full of
//! properties, styles and scripts, a menu, boxes with classes, cards with pictures, a footer.

use std::fmt::Write;

use fastrand::Rng;

use super::prose;
use super::render::{anchor, title};
use super::shape::{Shape, Spot};

/// Entries of the menu that every page of a host has.
const MENU: u64 = 14;

const STYLE: &str = ".site{max-width:72rem;margin:0 auto;font:1rem/1.5 serif}\
.menu{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none}.menu__item{padding:.25rem .5rem}\
.card{border:1px solid #ddd;border-radius:4px;padding:1rem}.card__title{font-size:1.1rem}\
.text{hyphens:auto;color:#222}.text--lead{font-size:1.2rem}@media print{.menu{display:none}}\
.footer{background:#222;color:#eee}.footer a{color:#9cf}.note{font-size:.9rem;color:#555}\n";

const SCRIPT: &str = "(function(w,d){var q=w.queue=w.queue||[];function on(e,f){\
d.addEventListener(e,f,{passive:true})}on('scroll',function(){q.push(['scroll',w.scrollY])});\
on('click',function(e){var a=e.target.closest('a');if(a){q.push(['click',a.id])}});\
w.setInterval(function(){if(q.length>20){q.splice(0,q.length)}},5000)})(window,document);\n";

/// Writes the page; `size` is its length, roughly.
pub(super) fn page(
    shape: &Shape,
    (spot, links): (Spot, &[Spot]),
    port: &str,
    size: usize,
    rng: &mut Rng,
) -> String {
    let mut html = String::with_capacity(size + 4_096);
    head(shape, spot, &mut html);
    menu(shape, spot, port, &mut html);
    opening(shape, spot, &mut html);
    let mut waiting = links.iter().copied();
    let mut number = 0;
    while html.len() + 1_500 < size {
        number += 1;
        match number % 6 {
            5 => card(shape, spot, waiting.next(), port, (number, rng), &mut html),
            other => {
                section(shape, spot, waiting.next(), port, (number, other == 1, rng), &mut html);
            }
        }
    }
    html.push_str("</div></main>\n<footer class=\"footer\" role=\"contentinfo\"><ul class=\"footer__list\">\n");
    for link in waiting {
        html.push_str("<li class=\"footer__item\">");
        anchor(shape, spot, link, port, &mut html);
        html.push_str("</li>\n");
    }
    html.push_str("</ul></footer>\n<script>");
    html.push_str(SCRIPT);
    html.push_str("</script>\n</div></body>\n</html>\n");
    html
}

// Writing to a string cannot fail, here and below.
fn head(shape: &Shape, spot: Spot, html: &mut String) {
    let (code, title) = (shape.language(spot.host).code, title(shape, spot));
    let (path, host) = (shape.path(spot), shape.host_name(spot.host));
    let _ = write!(
        html,
        "<!doctype html>\n<html lang=\"{code}\" class=\"no-js\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<meta name=\"description\" content=\"{title}\">\n\
         <meta property=\"og:title\" content=\"{title}\">\n<meta property=\"og:type\" content=\"article\">\n\
         <meta property=\"og:site_name\" content=\"{host}\">\n\
         <link rel=\"stylesheet\" href=\"/assets/site.css?v=31\" media=\"all\">\n\
         <link rel=\"icon\" type=\"image/png\" sizes=\"32x32\" href=\"/assets/icon-32.png\">\n\
         <style>{STYLE}</style>\n<script>{SCRIPT}</script>\n</head>\n\
         <body class=\"page page--article\" data-path=\"{path}\">\n\
         <div class=\"site\" id=\"site\">\n"
    );
}

fn opening(shape: &Shape, spot: Spot, html: &mut String) {
    let (title, mark) = (title(shape, spot), prose::mark(shape.number(spot)));
    let _ = write!(
        html,
        "<main class=\"main\" id=\"main\"><div class=\"main__inner\">\n\
         <h1 class=\"title\" id=\"title\">{title}</h1>\n<p class=\"text text--lead\">{mark}</p>\n"
    );
}

fn menu(shape: &Shape, spot: Spot, port: &str, html: &mut String) {
    html.push_str("<nav class=\"nav\" aria-label=\"menu\"><ul class=\"menu\">\n");
    for local in 0..MENU.min(shape.num_pages_of(spot.host)) {
        let _ = write!(html, "<li class=\"menu__item menu__item--{local}\">");
        anchor(shape, spot, Spot { host: spot.host, local }, port, html);
        html.push_str("</li>\n");
    }
    html.push_str("</ul></nav>\n");
}

/// A box with a paragraph in which words are emphasised and marked.
fn section(
    shape: &Shape,
    spot: Spot,
    link: Option<Spot>,
    port: &str,
    (number, has_heading, rng): (usize, bool, &mut Rng),
    html: &mut String,
) {
    let language = shape.language(spot.host);
    let _ = writeln!(
        html,
        "<section class=\"block block--text\" id=\"s{number}\" data-block=\"{number}\">"
    );
    if has_heading {
        let _ = write!(html, "<h2 class=\"block__title\" id=\"h{number}\">");
        prose::fill(language.title, language, rng, html);
        let _ = writeln!(
            html,
            "<a class=\"permalink\" href=\"#h{number}\" aria-hidden=\"true\">#</a></h2>"
        );
    }
    html.push_str("<p class=\"text\">");
    for sentence in 0..rng.usize(2..=4) {
        match sentence {
            1 => html.push_str("<em class=\"text__mark\">"),
            _ => html.push_str("<span class=\"text__run\" data-run=\"1\">"),
        }
        prose::sentence(language, rng, html);
        html.push_str(if sentence == 1 { "</em>" } else { "</span>" });
    }
    if let Some(link) = link {
        html.push_str(language.see);
        html.push(' ');
        anchor(shape, spot, link, port, html);
    }
    html.push_str("</p>\n</section>\n");
}

/// A box with a picture and a link.
fn card(
    shape: &Shape,
    spot: Spot,
    link: Option<Spot>,
    port: &str,
    (number, rng): (usize, &mut Rng),
    html: &mut String,
) {
    let language = shape.language(spot.host);
    let picture = rng.u32(..100_000);
    let _ = write!(
        html,
        "<article class=\"card card--wide\" id=\"c{number}\"><figure class=\"card__figure\">\
         <img class=\"card__image\" src=\"/media/{picture}.jpg\" width=\"320\" height=\"200\" \
         loading=\"lazy\" alt=\"\"></figure>\n<div class=\"card__body\"><h3 class=\"card__title\">"
    );
    match link {
        Some(link) => anchor(shape, spot, link, port, html),
        None => prose::fill(language.title, language, rng, html),
    }
    html.push_str("</h3>\n<p class=\"card__text note\">");
    prose::sentence(language, rng, html);
    html.push_str("</p></div></article>\n");
}
