//! What site owners see, and what nobody else does.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serve::{About, Options, OwnerPage, OwnerQuestion, OwnerReport, Refusal};

use crate::client::get;
use crate::server::{Server, found, state};

/// A server that knows one host, and what its robots.txt proves.
fn server(contact: &str) -> (Server, Arc<Mutex<Option<String>>>) {
    let published = Arc::new(Mutex::new(None::<String>));
    let file = published.clone();
    let report = move |question: &OwnerQuestion| -> Result<Option<OwnerReport>, Refusal> {
        let OwnerQuestion { host, proof, urls } = question;
        if host == "trouble.example" {
            return Err(Refusal("the disk said /var/secret".to_owned()));
        }
        let is_proved = file.lock().unwrap().as_ref() == Some(proof);
        // One address is known by http.
        let is_old = |url: &&base::Url| url.as_str() == "http://a.example/old";
        let url = urls.iter().find(is_old).or(urls.first()).cloned();
        Ok((host == "a.example" && is_proved).then(|| OwnerReport {
            facts: vec![("responses".to_owned(), "<b>12</b>".to_owned())],
            standings: vec![("fetched, 200".to_owned(), 12)],
            pages: vec![OwnerPage {
                url: "http://a.example/<script>".to_owned(),
                standing: "fetched, 200".to_owned(),
                at: Some("2026-11-16T09:30:00Z".to_owned()),
            }],
            is_cut: false,
            story: url.iter().map(|url| ("standing".to_owned(), format!("{url} <i>"))).collect(),
            url,
        }))
    };
    let about = About {
        agent: "lookfar/1.0 (+me)".to_owned(),
        token: "lookfar".to_owned(),
        contact: Some(contact.to_owned()),
        delay: Duration::from_millis(1_500),
        report: Arc::new(report),
    };
    let state = state(|request| found(request, &[]), Options::default()).with_owners(about);
    (Server::start(state), published)
}

#[test]
fn the_page_says_who_we_are_and_how_to_keep_us_out() {
    let (server, _) = server("https://example.org/bot");
    let page = get(server.address, "/about-crawler");
    assert_eq!(page.status, 200);
    for text in
        ["lookfar/1.0 (+me)", "Disallow: /", "1.5 s apart", "href=\"https://example.org/bot\""]
    {
        assert!(page.body.contains(text), "{text}: {}", page.body);
    }
}

#[test]
fn web_03_a_contact_is_linked_only_if_it_is_a_page_or_a_mail_address() {
    let (server, _) = server("javascript:alert(1)");
    let page = get(server.address, "/about-crawler").body;
    assert!(page.contains("javascript:alert(1)") && !page.contains("href=\"javascript"), "{page}");
}

#[test]
fn a_report_is_shown_to_whoever_has_the_key_to_the_line_in_robots_txt() {
    let (server, published) = server("me@example.org");
    let between = |text: &str, begin: &str, end: char| -> String {
        text.split(begin).nth(1).unwrap().split(end).next().unwrap().trim().to_owned()
    };
    let first = get(server.address, "/about-crawler/host?host=A.example").body;
    let line = between(&first, "# lookfar-verify: ", '<');
    let key = between(&first, "&amp;key=", '"');
    assert_ne!(line, key);
    let path = format!("/about-crawler/host?host=a.example&key={key}");
    // Not before the line is there.
    let early = get(server.address, &path).body;
    assert!(early.contains("We have not seen the line") && early.contains(&line), "{early}");
    *published.lock().unwrap() = Some(line.clone());
    let report = get(server.address, &path).body;
    assert!(report.contains("fetched, 200") && report.contains("&#60;b&#62;12"), "{report}");
    assert!(!report.contains("<script>"), "{report}");
    // What was fetched, and when.
    assert!(report.contains("<th scope=\"col\">Fetched</th>"), "{report}");
    assert!(report.contains("<td>fetched, 200</td><td>2026-11-16T09:30:00Z</td>"), "{report}");
    // Who reads the line in the public file has nothing: it is not the key.
    let thief = get(server.address, &format!("/about-crawler/host?host=a.example&key={line}")).body;
    assert!(!thief.contains("fetched, 200"), "{thief}");
    // Any address of the host can be asked for, and of no other.
    assert!(!report.contains("<dt>standing</dt>"), "{report}");
    for asked in ["/x%3Fy", "https%3A%2F%2Fa.example%2Fx%3Fy"] {
        let told = get(server.address, &format!("{path}&url={asked}")).body;
        let expected = "<dt>standing</dt><dd>https://a.example/x?y &#60;i&#62;</dd>";
        assert!(told.contains(expected), "{told}");
    }
    for other in ["http%3A%2F%2Fb.example%2F", "javascript%3A1", "x"] {
        assert_eq!(get(server.address, &format!("{path}&url={other}")).status, 400, "{other}");
    }
    // A path alone is looked for under both schemes, and the page says which one is known.
    let told = get(server.address, &format!("{path}&url=/old")).body;
    assert!(told.contains("<h2 id=\"asked\"><bdi>http://a.example/old</bdi></h2>"), "{told}");
    assert!(told.contains("name=\"url\" value=\"http://a.example/old\""), "{told}");
    // And the key of one host opens no other.
    let other = get(server.address, &format!("/about-crawler/host?host=b.example&key={key}")).body;
    assert!(!other.contains("fetched, 200"));
}

#[test]
fn nothing_tells_whether_a_host_is_known() {
    let (server, _) = server("me@example.org");
    let shape = |host: &str| {
        let path = format!("/about-crawler/host?host={host}&key={}", "0".repeat(32));
        let reply = get(server.address, &path);
        let body = reply.body.replace(host, "HOST");
        let line = body.split("lookfar-verify: ").nth(1).unwrap()[..32].to_owned();
        (reply.status, body.replace(&line, "LINE"))
    };
    assert_eq!(shape("a.example"), shape("unknown.example"));
}

#[test]
fn web_01_and_20_hosts_that_are_none_and_trouble_say_nothing_of_our_insides() {
    let (server, _) = server("me@example.org");
    for path in ["?host=", "", "?host=%3Cscript%3E", "?host=a%20b", "?host=a.example&key=x"] {
        let reply = get(server.address, &format!("/about-crawler/host{path}"));
        assert_eq!(reply.status, 400, "{path}");
        assert!(!reply.body.contains("<script>"));
    }
    let key = "0".repeat(32);
    let reply = get(server.address, &format!("/about-crawler/host?host=trouble.example&key={key}"));
    assert_eq!(reply.status, 503);
    assert!(!reply.body.contains("secret"), "{}", reply.body);
    let none = Server::with_hits(Vec::new());
    assert_eq!(get(none.address, "/about-crawler").status, 404);
}
