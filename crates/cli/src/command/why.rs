//! `lookfar why`: everything known of one URL, as a story.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use ::crawl::{
    Discovery, Doubt, Doubts, Fate, Handle, HostRule, HostStory, LessonStory, RobotsStory, Story,
    VisitsStory,
};
use anyhow::Result;
use base::Collection;
use indicatif::HumanCount;

use crate::Done;
use crate::args::WhyArgs;
use crate::control::{self, Request};
use crate::place::options_of;

/// Exit code 1 for a URL that was never seen.
pub(crate) fn run(dir: &Path, args: &WhyArgs) -> Result<Done> {
    let collection = Collection::open(dir)?;
    let request = Request::Why { url: args.url.clone() };
    let story: Story = control::ask(&collection, &request, || {
        Ok(Handle::open(&collection, &options_of(&collection)?)?.why(&args.url)?)
    })?;
    let mut out = std::io::stdout().lock();
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&story)?)?,
        false => write!(out, "{}", told(&story))?,
    }
    Ok(if story.standing == Fate::NeverSeen { Done::Empty } else { Done::Well })
}

/// Tells the story in lines of `what: how it is`.
fn told(story: &Story) -> String {
    let mut text = format!("{}\n", story.url);
    for (what, how) in lines(story) {
        writeln!(text, "  {what:<11} {how}").expect("strings take all writes");
    }
    text
}

/// Tells the story, what and how it is.
pub(crate) fn lines(story: &Story) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let mut say = |what: &str, how: &str| lines.push((what.to_owned(), how.to_owned()));
    if !story.changes.is_empty() {
        let asked: String = story.asked.chars().filter(|c| !c.is_control()).collect();
        say("asked as", &format!("{asked} ({})", story.changes.join("; ")));
    }
    say("standing", &standing(story));
    if let Some(visits) = &story.visits {
        say("visits", &visited(visits));
    }
    if let Some(discovery) = &story.discovered {
        say("discovered", &discovered(discovery));
    }
    if let Some(line) = &story.blocked {
        say("blocked", &format!("by `{line}` in blocked.txt"));
    }
    say(
        "scope",
        &match &story.scope.reason {
            None => "lets it in".to_owned(),
            Some(reason) => {
                let because = story.scope.because.as_deref().unwrap_or_default();
                format!("leaves it out ({reason}): {because}")
            }
        },
    );
    if let Some(LessonStory { reason, because, .. }) = &story.learnt {
        say("learnt", &format!("{reason}: {because}"));
    }
    say("robots.txt", &robots(&story.robots));
    tell_host(&story.host, &mut say);
    if let Some(response) = &story.response {
        if let Some(capture) = &response.capture {
            let (file, offset, length) = (capture.file, capture.offset, capture.length);
            say("archive", &format!("{file:07}.warc.gz, byte {offset}, {length} bytes"));
        }
        if let Some(target) = &response.redirect {
            let limit = "; that is not followed: too many redirects in a row";
            say(
                "redirects",
                &format!("to {target}{}", if response.is_last_hop { limit } else { "" }),
            );
        }
        if let Some(original) = &response.copy_of {
            match response.near_percent {
                Some(percent) => {
                    let share = format!("about {percent} % of the text is the same");
                    say("repeats", &format!("{original}: near duplicate, {share}"));
                }
                None => say("repeats", original.as_str()),
            }
        }
        say("searchable", if response.is_searchable { "yes" } else { "no" });
        if !response.oddities.is_empty() {
            say("odd", &response.oddities.join(", "));
        }
        tell_doubts(&response.doubts, &mut say);
    }
    lines
}

/// Letters of a hidden text that are told.
const SAMPLE_CHARS: usize = 160;

fn tell_doubts(doubts: &Doubts, say: &mut impl FnMut(&str, &str)) {
    if doubts.spam > 0 {
        let reason = |doubt: &Doubt| match doubt.evidence.as_str() {
            "" => format!("{} {}", doubt.kind, doubt.weight),
            evidence => format!("{} {} (`{}`)", doubt.kind, doubt.weight, sample(evidence)),
        };
        let reasons: Vec<String> = doubts.reasons.iter().map(reason).collect();
        say("spam", &format!("{} of 100: {}", doubts.spam, reasons.join(", ")));
    }
    if doubts.hidden_percent > 0 {
        let share = format!("{} % of the text at least is not seen", doubts.hidden_percent);
        say("hidden", &share);
    }
    for hidden in &doubts.hidden {
        say(&hidden.reason, &format!("`{}`", sample(&hidden.text)));
    }
}

/// Returns the beginning of a stranger's text, fit for a line.
fn sample(text: &str) -> String {
    let mut told: String = text.chars().filter(|c| !c.is_control()).take(SAMPLE_CHARS).collect();
    if told.len() < text.len() {
        told.push('…');
    }
    told
}

fn tell_host(host: &HostStory, say: &mut impl FnMut(&str, &str)) {
    let mut counts = format!(
        "{}: {} URLs known, {} waiting",
        host.name,
        HumanCount(host.known),
        HumanCount(host.waiting)
    );
    if let Some(millis) = host.rests_millis {
        counts += &format!(", rests for another {:.1} s", millis as f64 / 1000.0);
    }
    say("host", &counts);
    if host.rule != HostRule::default() {
        say("its rule", &format!("{} (hosts.txt)", host.rule));
    }
    if host.responses > 0 {
        say(
            "its worth",
            &format!(
                "{} responses, {} told something new, {} repeated or said nothing{}",
                HumanCount(host.responses),
                HumanCount(host.useful),
                HumanCount(host.wasted),
                if host.is_exhausted { "; it has used up its budget for now" } else { "" }
            ),
        );
    }
    if let Some(failure) = &host.failure {
        say("its trouble", &format!("{failure}, {} times in a row", host.errors));
    }
    if let Some(other) = &host.mirror_of {
        say("a mirror", &format!("of {other}{}", look(host)));
    }
    if let Some(other) = &host.suspected_of {
        say("a suspect", &format!("looks like a mirror of {other}{}", look(host)));
    }
    if host.is_soft_missing {
        say("soft 404", "the host answers 200 for addresses that it does not have");
    }
}

/// Says when a host that waits as a mirror is visited next.
fn look(host: &HostStory) -> String {
    match &host.looked_at {
        Some(moment) => format!("; its URLs wait, one is read at {moment}"),
        None => "; it is being read on".to_owned(),
    }
}

fn standing(story: &Story) -> String {
    match &story.standing {
        Fate::NeverSeen => match &story.learnt {
            Some(LessonStory { instead: Some(other), .. }) => {
                format!("never seen; if a page names it, {other} takes its place")
            }
            None if story.scope.is_in => {
                "never seen; if a page names it, it will be fetched".to_owned()
            }
            _ => "never seen, and it would be left out".to_owned(),
        },
        Fate::Waiting { before, class, tries: 0 } => format!(
            "waits in front queue {class} of 0–15; {} URLs of its host come first",
            HumanCount(*before)
        ),
        Fate::Waiting { before, tries, .. } => format!(
            "waits to be tried again after {tries} failures; {} URLs of its host come first",
            HumanCount(*before)
        ),
        Fate::Fetched { at, status } => format!("fetched {at}, status {status}"),
        Fate::GivenUp { reason, tries } => format!("given up after {tries} tries: {reason}"),
        Fate::Forbidden => "not fetched: robots.txt forbade it when its turn came".to_owned(),
        Fate::LeftOut { reason } => format!("left out when its turn came: {reason}"),
        Fate::Forgotten => "forgotten on request".to_owned(),
    }
}

fn visited(story: &VisitsStory) -> String {
    let VisitsStory { visits, changes, last, last_change, .. } = story;
    let days = story.interval_seconds as f64 / 86_400.0;
    let next = match (story.due, story.waits) {
        (_, true) => "waits to be fetched again".to_owned(),
        (Some(due), false) => format!("due again {due}, {days:.1} days between visits"),
        (None, false) => "not to be fetched again".to_owned(),
    };
    match visits {
        1 => format!("once, {last}; {next}"),
        _ => format!(
            "{visits}, the last {last}; found changed {changes} times, the last {last_change}; {next}"
        ),
    }
}

fn discovered(discovery: &Discovery) -> String {
    let Discovery { at, from, is_seed, depth, hops } = discovery;
    let from = match (from, is_seed) {
        (_, true) => "as a seed".to_owned(),
        (Some(page), false) => format!("on {page}"),
        (None, false) => "in an access log, or on a page not known any more".to_owned(),
    };
    let hops = if *hops > 0 { format!(", {hops} redirects") } else { String::new() };
    format!("{at} {from}, {depth} links from a seed{hops}")
}

fn robots(story: &RobotsStory) -> String {
    let Some(because) = &story.because else { return "has not been read yet".to_owned() };
    match story.crawl_delay_seconds {
        0 => because.clone(),
        seconds => format!("{because}; it asks for {seconds} s between requests"),
    }
}
