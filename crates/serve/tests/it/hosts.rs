//! The table of hosts in the control room: what the forms of a row send, and where they lead.

use std::sync::Arc;

use serve::{Control, HostRow, HostRule, Options, Order};

use crate::admin::{Noted, get, post};
use crate::client::Reply;
use crate::server::{Server, found, state};

const NAME: &str = "a.example";
const PATH: &str = "/admin/hosts?find=a.ex&sort=rules&skip=50";
const BACK: &str = "<a href=\"/admin/hosts?find=a.ex&#38;sort=rules&#38;skip=50\">Back</a>";

/// A table with one row.
struct Table {
    server: Server,
    room: Arc<Noted>,
}

impl Table {
    /// Begins; `rule` holds for the host.
    fn start(rule: HostRule) -> Self {
        let host = HostRow { name: NAME.to_owned(), rule, ..HostRow::default() };
        let room = Arc::new(Noted::of(host));
        let state = state(|request| found(request, &[]), Options::default())
            .with_control(Control { room: room.clone(), token: None });
        Self { server: Server::start(state), room }
    }

    #[track_caller]
    fn row(&self) -> String {
        let page = get(self.server.address, PATH, "").body;
        let (_, row) = page.split_once("<tbody>").unwrap();
        let (row, _) = row.split_once("</tr>").unwrap();
        row.to_owned()
    }

    /// Sends the form with this button as it stands in the row, but for what somebody types.
    #[track_caller]
    fn press(&self, button: &str, typed: &[(&str, &str)]) -> Reply {
        let (row, button) = (self.row(), format!(">{button}</button>"));
        let form = row.split("</form>").find(|form| form.contains(&button));
        let body = sent(form.unwrap_or_else(|| panic!("{button}: {row}")), typed);
        let origin = format!("Origin: http://{}\r\n", self.server.address);
        post(self.server.address, "/admin/do", &origin, &body)
    }

    /// Returns what was told to hold for the host, the one thing that was told.
    #[track_caller]
    fn told(&self) -> HostRule {
        match self.room.orders().as_slice() {
            [Order::Host { name, rule }] if name == NAME => rule.clone(),
            others => panic!("{others:?}"),
        }
    }
}

/// Returns what a browser sends of a form: boxes only if they are ticked.
fn sent(form: &str, typed: &[(&str, &str)]) -> String {
    let field = |input: &str| {
        let (input, _) = input.split_once('>').unwrap();
        let name = attribute(input, " name");
        let written = typed.iter().find(|(field, _)| *field == name);
        let is_off = input.contains("checkbox") && !input.contains(" checked");
        match written {
            None if is_off => None,
            None => Some(format!("{name}={}", attribute(input, " value"))),
            Some((_, value)) => Some(format!("{name}={value}")),
        }
    };
    let fields = form.split("<input").skip(1).filter_map(field);
    fields.collect::<Vec<_>>().join("&")
}

/// Returns what an attribute says, encoded for a form; empty if it is not there.
fn attribute(tag: &str, name: &str) -> String {
    let found = tag.split_once(&format!("{name}=\""));
    let value = found.and_then(|(_, rest)| rest.split_once('"')).map_or("", |(value, _)| value);
    value.replace("&#38;", "%26")
}

fn rule() -> HostRule {
    HostRule { is_paused: false, is_blocked: true, delay: Some(2.5), pages: Some(7) }
}

#[test]
fn a_row_keeps_delay_budget_and_block_and_leaves_the_pause_as_it_is() {
    for is_paused in [true, false] {
        let table = Table::start(HostRule { is_paused, ..HostRule::default() });
        let typed = [("delay", "2.5"), ("pages", "7"), ("blocked", "1")];
        let reply = table.press("Save", &typed);
        assert_eq!(reply.status, 200, "{}", reply.body);
        assert!(reply.body.contains(BACK), "{}", reply.body);
        assert_eq!(table.told(), HostRule { is_paused, ..rule() });
    }
}

#[test]
fn a_row_shows_what_holds_and_sends_it_again_unless_it_is_changed() {
    let table = Table::start(rule());
    assert!(table.row().contains("<td>blocked, 2.5 s, 7 responses</td>"), "{}", table.row());
    table.press("Save", &[("delay", ""), ("pages", "9")]);
    assert_eq!(table.told(), HostRule { delay: None, pages: Some(9), ..rule() });
    let table = Table::start(rule());
    let reply = table.press("Pause", &[]);
    assert!(reply.body.contains(BACK), "{}", reply.body);
    assert_eq!(table.told(), HostRule { is_paused: true, ..rule() });
    let table = Table::start(HostRule { is_paused: true, ..rule() });
    table.press("Go on", &[]);
    assert_eq!(table.told(), rule());
}

#[test]
fn a_row_forgets_its_host_only_if_the_name_is_typed() {
    let table = Table::start(HostRule::default());
    assert!(table.row().contains("This cannot be undone"), "{}", table.row());
    for typed in ["", "b.example"] {
        let reply = table.press("Forget this host", &[("again", typed)]);
        assert_eq!(reply.status, 400, "{}", reply.body);
        assert!(reply.body.contains("nothing was forgotten"), "{}", reply.body);
    }
    assert!(table.room.orders().is_empty());
    let reply = table.press("Forget this host", &[("again", NAME)]);
    assert!(reply.status == 200 && reply.body.contains(BACK), "{}", reply.body);
    assert_eq!(table.room.orders(), [Order::Forget { target: NAME.to_owned() }]);
}

#[test]
fn what_can_be_changed_says_of_which_host() {
    let row = Table::start(rule()).row();
    for label in [
        "Pause a.example",
        "Change a.example",
        "Blocked: a.example",
        "Delay of a.example in seconds",
        "Budget of a.example in responses",
        "Save what holds for a.example",
        "Type the host's name to be sure: a.example",
        "Forget this host: a.example",
    ] {
        assert_eq!(row.matches(&format!("aria-label=\"{label}\"")).count(), 1, "{label}: {row}");
    }
}
