//! A home page made of pictures (W16) and a page whose sidebar misleads (W15).

use super::page::Page;
use super::world::{Kind, World};
use crate::site::Answer;

/// The company's name, which only others say.
pub(super) const NAME: &str = "Ostrelund Lanterns";
/// The company's host, whose name says nothing.
pub(super) const HOST: &str = "atelier57.lookfar";
/// The page of W15: its article is about one word, its sidebar about the other.
pub(super) const SIDEBAR_PAGE: &str = "/lights/a-keepers-day";

/// Adds both pages to hosts that exist already.
pub(super) fn build(world: &mut World) {
    picture_home(world);
    sidebar_page(world);
}

/// Pictures, links and nothing to read: no name in title, text, alternative text or address.
fn picture_home(world: &mut World) {
    let rooms = ["/room/glass", "/room/copper", "/room/repairs", "/room/visiting"];
    let mut body = String::from(
        "<div style=\"text-align:center\"><img src=\"/img/front.svg\" alt=\"\" width=\"960\" \
         height=\"540\"></div>\n<div style=\"text-align:center\">\n",
    );
    for (at, room) in rooms.iter().enumerate() {
        body.push_str(&format!(
            "<a href=\"{room}\"><img src=\"/img/door{}.svg\" alt=\"\" width=\"230\" height=\"130\"></a>\n",
            at + 1
        ));
    }
    body.push_str("</div>\n");
    let html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>57</title>\n\
         <style>body{{margin:2em;background:hsl(160,30%,96%)}} img{{border-radius:6px;max-width:100%}}\n\
         a img:hover{{opacity:.8}}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    );
    world.host_mut(HOST).put("/", Kind::Good, Answer::html(html));
}

/// The article says lighthouse, the sidebar says saffron; together they say nothing.
fn sidebar_page(world: &mut World) {
    let main = "<p>A lighthouse keeper's day began in the afternoon. At three the glass of the \
         lighthouse was cleaned with vinegar and a soft cloth, pane by pane, from the top. At four \
         the wicks were trimmed. Half an hour before sunset the keeper climbed to the lantern room, \
         drew the curtains that had kept the sun from setting the lens on fire, and lit the lamp.</p>\n\
         <p>Then came the watches: four hours each, by the clock, in a chair without arms. The \
         weight that turned the lens had to be wound up every two hours. In a lighthouse on a rock \
         three keepers shared the night; in a lighthouse on land the keeper's wife took the watch \
         after midnight and was not paid for it.</p>\n<h2>The log</h2>\n<p>Wind, sea, ships that \
         passed and birds that struck the glass were written down. At sunrise the lamp was put \
         out, the curtains were drawn again, and the lighthouse went to bed. What keepers dreamed \
         of is not in the log. One, asked in old age, said: of trees.</p>\n\
         <p>The last lighthouse of the isles was made automatic in 1996. It cleans itself with a \
         wiper, like a motor car, and calls a telephone in <a href=\"http://islands.lookfar/towns/grimsound\">\
         Grimsound</a> when it is unwell.</p>\n";
    let aside = "<h3>From our shop window</h3>\n<p>Saffron! This week pure saffron by the gram, \
         saffron threads, saffron buns, saffron soap. Ask for saffron at the counter.</p>\n\
         <ul>\n<li>Saffron, one gram: 14 crowns</li>\n<li>Saffron gift box: 39 crowns</li>\n\
         <li>Saffron crocus bulbs, ten: 12 crowns</li>\n</ul>\n\
         <h3>See also</h3>\n<ul><li><a href=\"/lights/lenses\">How a lens works</a></li>\n\
         <li><a href=\"/lights/keepers-rules\">Rules for keepers</a></li></ul>\n";
    let page = Page {
        title: "A keeper's day".to_owned(),
        head: String::new(),
        main: main.to_owned(),
        aside: aside.to_owned(),
    };
    world.host_mut("lighthouses.lookfar").page(SIDEBAR_PAGE, Kind::Good, &page);
}
