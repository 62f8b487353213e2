//! A search for the page that costs most: which pieces, repeated, burn the most time.
//!
//! Takes minutes, so it runs only when asked for:
//! `cargo test --release -p parse --test it -- --ignored slowest --nocapture`.

use parse::{Input, Options, outline, parse};

use super::url;

/// What the pages of the search are made of.
const ATOMS: [&str; 50] = [
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<i>",
    "<a>",
    "</a>",
    "<a href=/x>",
    "<div>",
    "</div>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<caption>",
    "<select>",
    "<option>",
    "<template>",
    "</template>",
    "<svg>",
    "<g>",
    "<foreignObject>",
    "<math>",
    "<mi>",
    "<ul>",
    "<li>",
    "<dd>",
    "<h1>",
    "<form>",
    "<button>",
    "<object>",
    "</object>",
    "<nobr>",
    "<font size=1>",
    "</x>",
    "<x>",
    "x",
    "&amp;",
    "\0",
    "<!---->",
    "<img alt=a src=b>",
    "<p class='nav menu ad'>",
    "<span style='color:red'>",
    "<br>",
    "</table>",
    "</tr>",
    "</td>",
    "<marquee>",
    "</svg>",
    "</form>",
];

/// Bytes of a page tried, and of the largest page there may be.
const TRIED: usize = 128 << 10;
const LARGEST: usize = 5 << 20;

#[test]
#[ignore = "takes minutes; cargo test -p parse --release --test it -- --ignored slowest"]
fn slowest_pages_end_within_the_limit_of_steps() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse::<u64>().ok());
    let mut seed = seed.unwrap_or(1);
    let mut chance = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let beginnings = [
        String::new(),
        "<div>".repeat(480),
        "<div>".repeat(200),
        (0..30).map(|i| format!("<b id={i}>")).collect::<String>(),
        format!("{}<table>", "<div>".repeat(400)),
        format!("<svg>{}", "<g>".repeat(400)),
    ];
    let mut found: Vec<(f64, String, String)> = Vec::new();
    for _ in 0..1_500 {
        let start = &beginnings[chance(beginnings.len())];
        let piece: String = (0..=chance(4)).map(|_| ATOMS[chance(ATOMS.len())]).collect();
        // What grows faster than its page costs most in the end, however little it costs here.
        let (small, large) = (cost(start, &piece, TRIED / 4), cost(start, &piece, TRIED));
        let growth = (large / small.max(0.002)).max(1.0);
        found.push((large * growth.powf(2.66), start.clone(), piece));
    }
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (expected, start, piece) in &found[..16] {
        let html = format!("{start}{}", piece.repeat(LARGEST / piece.len()));
        let tree = outline(&html, &Options::default());
        let whole = cost(start, piece, LARGEST);
        let name = start.get(..12).unwrap_or(start);
        eprintln!(
            "{whole:.2} s of 5 MiB, {expected:.1} s expected, {} steps: {name}… {piece}",
            tree.steps
        );
        assert!(tree.steps < 250_000_000);
    }
}

/// Returns the processor time that reading a page takes.
fn cost(start: &str, piece: &str, bytes: usize) -> f64 {
    let html = format!("{start}{}", piece.repeat(bytes / piece.len()));
    let url = url();
    let input = Input { content_type: Some("text/html"), ..Input::new(&url, html.as_bytes()) };
    let before = processor_time();
    parse(&input, &Options::default());
    processor_time() - before
}

/// Returns the seconds that this thread has been on a processor.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}
