//! From a form to an order.

use super::form::Form;
use super::room::{HostRule, Order};
use crate::problem::Problem;
use crate::view::encode;

/// Addresses taken from one form.
const SEEDS: usize = 1_000;

/// Reads what a form wants done.
pub(super) fn read(form: &Form) -> Result<Order, Problem> {
    Ok(match form.get("action") {
        "pause" => Order::Pause,
        "resume" => Order::Resume,
        "host" => Order::Host { name: needed(form, "host")?, rule: rule(form)? },
        "forget" => {
            let target = needed(form, "target")?;
            // What cannot be undone is typed twice.
            if form.get("again") != target {
                let detail = "nothing was forgotten: both fields must say the same";
                return Err(Problem::bad_request("again", detail));
            }
            Order::Forget { target }
        }
        "seeds" => {
            let lines = form.get("urls").lines().map(str::trim).filter(|line| !line.is_empty());
            let urls: Vec<String> = lines.map(str::to_owned).collect();
            if urls.is_empty() || urls.len() > SEEDS {
                let detail = format!("write 1 to {SEEDS} addresses, one per line");
                return Err(Problem::bad_request("urls", detail));
            }
            Order::Seeds { urls }
        }
        "unseed" => Order::Unseed { url: needed(form, "url")? },
        "grants" => match form.get("on") {
            "1" => Order::Grants { is_on: true },
            "0" => Order::Grants { is_on: false },
            _ => return Err(Problem::bad_request("on", "`on` is 1 or 0")),
        },
        "set" => {
            let changes = form.below("set.").map(|(key, value)| (key.to_owned(), value.to_owned()));
            Order::Set { changes: changes.collect() }
        }
        _ => return Err(Problem::bad_request("action", "there is no such action")),
    })
}

/// Returns the page to go back to: the table of hosts as it was, if the form stood there.
pub(super) fn back(form: &Form, order: &Order) -> String {
    let table = form.get("back");
    if table.starts_with("/admin/hosts?") {
        return table.to_owned();
    }
    match order {
        Order::Pause | Order::Resume => "/admin".to_owned(),
        Order::Host { name, .. } => format!("/admin/host?name={}", encode(name)),
        Order::Forget { .. } => "/admin/hosts".to_owned(),
        Order::Seeds { .. } | Order::Unseed { .. } => "/admin/settings".to_owned(),
        Order::Grants { .. } => "/admin/logs".to_owned(),
        Order::Set { changes } => {
            let is_graph = changes.iter().any(|(key, _)| key == "rank.spam");
            if is_graph { "/admin/graph" } else { "/admin/settings" }.to_owned()
        }
    }
}

fn needed(form: &Form, name: &str) -> Result<String, Problem> {
    match form.get(name) {
        "" => Err(Problem::bad_request("parameter", format!("`{name}` is missing"))),
        text => Ok(text.to_owned()),
    }
}

fn rule(form: &Form) -> Result<HostRule, Problem> {
    let delay: Option<f64> = form.number("delay")?;
    if delay.is_some_and(|seconds| !(0.0..=86_400.0).contains(&seconds)) {
        return Err(Problem::bad_request("delay", "a delay is 0 to 86,400 seconds"));
    }
    Ok(HostRule {
        is_paused: form.has("paused"),
        is_blocked: form.has("blocked"),
        delay,
        pages: form.number("pages")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(text: &str) -> Result<Order, Problem> {
        read(&Form::parse(text).unwrap())
    }

    #[test]
    fn forms_become_orders() {
        assert_eq!(order("action=pause"), Ok(Order::Pause));
        assert_eq!(order("action=grants&on=1"), Ok(Order::Grants { is_on: true }));
        assert_eq!(order("action=grants&on=0"), Ok(Order::Grants { is_on: false }));
        assert!(order("action=grants").is_err() && order("action=grants&on=yes").is_err());
        assert_eq!(back(&Form::default(), &Order::Grants { is_on: true }), "/admin/logs");
        let rule = HostRule { is_paused: true, delay: Some(2.5), ..HostRule::default() };
        let name = "a.example".to_owned();
        assert_eq!(
            order("action=host&host=a.example&paused=1&delay=2.5&pages="),
            Ok(Order::Host { name, rule })
        );
        let urls = vec!["a.example".to_owned(), "http://b.example/".to_owned()];
        assert_eq!(
            order("action=seeds&urls=a.example%0D%0A%0D%0Ahttp://b.example/%0D%0A"),
            Ok(Order::Seeds { urls })
        );
        let url = "http://b.example/?a=b".to_owned();
        assert_eq!(
            order("action=unseed&url=http%3A%2F%2Fb.example%2F%3Fa%3Db"),
            Ok(Order::Unseed { url })
        );
        let changes = vec![("crawl.scope".to_owned(), "\"open\"".to_owned())];
        assert_eq!(order("action=set&set.crawl.scope=%22open%22&x=y"), Ok(Order::Set { changes }));
    }

    #[test]
    fn what_cannot_be_undone_is_typed_twice() {
        assert!(order("action=forget&target=a.example").is_err());
        assert!(order("action=forget&target=a.example&again=b.example").is_err());
        let target = "a.example".to_owned();
        assert_eq!(
            order("action=forget&target=a.example&again=a.example"),
            Ok(Order::Forget { target })
        );
    }

    #[test]
    fn a_form_leads_back_to_the_table_it_stood_in_and_nowhere_else() {
        let check = |asked: &str, expected: &str| {
            let form = Form::parse(&format!("action=host&host=a.example&back={asked}")).unwrap();
            assert_eq!(back(&form, &read(&form).unwrap()), expected, "{asked}");
        };
        check("/admin/hosts?find=a%26sort=name%26skip=50", "/admin/hosts?find=a&sort=name&skip=50");
        let own = "/admin/host?name=a.example";
        for elsewhere in ["", "https://evil.example/", "//evil.example/admin/hosts?", "/admin/x"] {
            check(elsewhere, own);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "action=dance",
            "action=host",
            "action=host&host=a&delay=-1",
            "action=host&host=a&delay=nan",
            "action=host&host=a&pages=x",
            "action=seeds&urls=%0A",
            "action=unseed",
        ] {
            assert!(order(text).is_err(), "{text}");
        }
    }
}
