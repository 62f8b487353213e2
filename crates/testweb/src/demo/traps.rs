//! Places without end: a calendar, session numbers, a server that never says no, a clock.

use std::collections::BTreeMap;

use crate::site::{Answer, Request};

use super::page::{Look, Page};
use super::world::{DemoHost, Kind, World, hash};

/// Months of the calendar live under this path.
pub(super) const CALENDAR: &str = "/calendar/";
/// The parameter in which the bazaar keeps its visitors' numbers.
pub(super) const SESSION: &str = "sid";

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Adds the endless parts to hosts that exist already.
pub(super) fn build(world: &mut World) {
    calendar(world.host_mut("almanac.lookfar"));
    sessions(world.host_mut("bazaar.lookfar"));
    soft_404(world.host_mut("oldtown.lookfar"));
    clock(world.host_mut("clock.lookfar"));
}

/// Every month links to the one before and the one after, within the years 1 to 9999.
fn calendar(host: &mut DemoHost) {
    let look = host.look().clone();
    host.set_dynamic(Box::new(move |request| {
        let month = request.path().strip_prefix(CALENDAR)?;
        Some(month_page(&look, month).unwrap_or_else(Answer::not_found))
    }));
}

fn month_page(look: &Look, rest: &str) -> Option<Answer> {
    let (year, month) = rest.trim_end_matches('/').split_once('/')?;
    let (year, month): (i64, i64) = (year.parse().ok()?, month.parse().ok()?);
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    let name = MONTHS[usize::try_from(month - 1).ok()?];
    let link = |offset: i64, label: &str| {
        let count = year * 12 + month - 1 + offset;
        let (year, month) = (count.div_euclid(12), count.rem_euclid(12) + 1);
        format!("<a href=\"{CALENDAR}{year}/{month:02}\">{label}</a>")
    };
    let mut main = format!(
        "<p>{} · {}</p>\n<table class=\"facts\">\n<tr>",
        link(-1, "Previous month"),
        link(1, "Next month")
    );
    let first = weekday(year, month, 1);
    main.push_str(&"<td></td>".repeat(usize::try_from(first).unwrap_or(0)));
    for day in 1..=days_in(year, month) {
        main.push_str(&format!("<td>{day}</td>"));
        if (first + day) % 7 == 0 {
            main.push_str("</tr>\n<tr>");
        }
    }
    main.push_str(
        "</tr>\n</table>\n<p>No appointments. The harbour office is open on weekdays.</p>\n",
    );
    let page = Page { title: format!("{name} {year}"), main, ..Page::default() };
    Some(Answer::html(look.render(&page)))
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns 0 for Monday to 6 for Sunday (Zeller's congruence, shifted).
fn weekday(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month < 3 { (year - 1, month + 12) } else { (year, month) };
    let (century, part) = (year.div_euclid(100), year.rem_euclid(100));
    let zeller = (day + 13 * (month + 1) / 5 + part + part / 4 + century / 4 + 5 * century) % 7;
    (zeller + 5) % 7
}

/// Who comes without a number gets one, a new one each minute; links carry it on.
fn sessions(host: &mut DemoHost) {
    let pages: BTreeMap<String, String> = host
        .resources()
        .filter(|(_, resource)| resource.kind == Kind::Good)
        .map(|(path, resource)| {
            (path.to_owned(), String::from_utf8_lossy(&resource.answer.body).into_owned())
        })
        .collect();
    let mut list =
        String::from("<p>Everything we have, without numbers in the address.</p>\n<ul>\n");
    for path in pages.keys().filter(|path| path.starts_with("/item/")) {
        let name = path.trim_start_matches("/item/").replace('-', " ");
        list.push_str(&format!("<li><a href=\"{path}\">{name}</a></li>\n"));
    }
    list.push_str("</ul>\n");
    let page = Page { title: "Catalogue".to_owned(), main: list, ..Page::default() };
    host.page("/catalogue", Kind::Good, &page);
    host.set_dynamic(Box::new(move |request| {
        let html = pages.get(request.path())?;
        let session = session_of(request);
        // Only pages of this shop carry the number, and the catalogue and home stay clean.
        let html = html.replace("href=\"/item/", "href=\"/item\u{1}");
        let mut out = String::with_capacity(html.len() + 512);
        for (at, piece) in html.split("href=\"/item\u{1}").enumerate() {
            if at == 0 {
                out.push_str(piece);
                continue;
            }
            let (slug, rest) = piece.split_once('"').unwrap_or((piece, ""));
            out.push_str(&format!("href=\"/item/{slug}?{SESSION}={session}\"{rest}"));
        }
        Some(Answer::html(out))
    }));
}

fn session_of(request: &Request<'_>) -> String {
    let given = request.query().unwrap_or("").split('&').find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        (key == SESSION && value.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(value)
    });
    given.map_or_else(
        || {
            let minute = request.elapsed.as_secs() / 60;
            format!("{:012x}", hash(&[b"visitor", &minute.to_le_bytes()]) >> 16)
        },
        str::to_owned,
    )
}

/// Whatever is asked for, the answer is 200 and a friendly page that leads one step deeper.
fn soft_404(host: &mut DemoHost) {
    let look = host.look().clone();
    let known: Vec<String> = host.resources().map(|(path, _)| path.to_owned()).collect();
    host.set_dynamic(Box::new(move |request| {
        let path = request.path();
        if known.iter().any(|known| known == path) || path == "/robots.txt" || path.starts_with("/img/") {
            return None;
        }
        let deeper = format!("{}/older", path.trim_end_matches('/'));
        let deeper = super::markup::escape(&deeper);
        let main = format!(
            "<p>Sorry, we could not find what you were looking for. It was here once, we are nearly \
             sure. Perhaps you meant <a href=\"{deeper}\">an older version of this page</a>, or you \
             would like to go back to the <a href=\"/\">front page</a>.</p>\n"
        );
        let page = Page { title: "Nothing here, sorry".to_owned(), main, ..Page::default() };
        Some(Answer::html(look.render(&page)))
    }));
}

/// `/now` says the minute, `/minutes` counts them; both change each minute.
fn clock(host: &mut DemoHost) {
    let look = host.look().clone();
    // Stored so that they are known as good pages; the dynamic answer comes first.
    for (path, title) in [("/now", "What time is it now?"), ("/minutes", "Minutes of the day")] {
        let page = Page { title: title.to_owned(), ..Page::default() };
        host.page(path, Kind::Good, &page);
    }
    host.set_dynamic(Box::new(move |request| {
        let minute = request.elapsed.as_secs() / 60;
        // The web begins at noon.
        let (hour, rest) = ((12 + minute / 60) % 24, minute % 60);
        let (title, text) = match request.path() {
            "/now" => (
                "What time is it now?",
                format!(
                    "<p>On the Sunder Isles it is <b>{hour:02}:{rest:02}</b>. The clock of St Olave \
                     agrees, the clock on the pier of Westering says {:02}:{:02}.</p>\n\
                     <p>The next ferry leaves in {} minutes. This page changes every minute.</p>\n\
                     <p><a href=\"/minutes\">Minutes of the day</a></p>\n",
                    (12 + (minute + 4) / 60) % 24,
                    (minute + 4) % 60,
                    45 - minute % 45
                ),
            ),
            "/minutes" => (
                "Minutes of the day",
                format!(
                    "<p>Since noon {minute} minutes have passed, and {} remain until the next noon. \
                     The <a href=\"/now\">clock</a> knows more.</p>\n",
                    1440 - minute % 1440
                ),
            ),
            _ => return None,
        };
        let page = Page { title: title.to_owned(), main: text, ..Page::default() };
        Some(Answer::html(look.render(&page)))
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weekdays_are_right() {
        assert_eq!(weekday(2026, 7, 1), 2); // a Wednesday
        assert_eq!(weekday(2000, 2, 29), 1); // a Tuesday
        assert_eq!((days_in(1900, 2), days_in(2000, 2)), (28, 29));
    }
}
