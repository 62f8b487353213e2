//! The one program: crawl, index, analyse, serve and search, from the command line.
//!
//! - Place in the flow: above all stages; the only crate that runs them.
//! - Reads and writes: `lookfar.toml`, `seeds.txt` and `status.json` of a collection; the
//!   stages read and write the rest.
//! - Start at: `args.rs` for what can be asked, `engine.rs` for how stages run together.
//! - Promises: data on stdout, everything else on stderr; exit code 0 for done, 1 for nothing
//!   found or a failed check, 2 for an error; one clear line says what to do.
//! - Does not: contain any stage's logic.

mod analyst;
mod args;
mod command;
mod config;
mod control;
mod copies;
mod derive;
mod engine;
mod fresh;
mod hint;
mod lexicon;
mod live;
mod names;
mod numbers;
mod pictures;
mod place;
mod progress;
mod recent;
mod room;
mod seeds;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use tracing_subscriber::EnvFilter;

use args::{Args, Command, LogFormat};

/// How a command ended, when it did not fail.
pub(crate) enum Done {
    /// It did what was asked.
    Well,
    /// Nothing was found, or a check found something.
    Empty,
}

fn main() -> ExitCode {
    let args = Args::parse();
    log_to_stderr(args.verbose, args.log_format);
    match run(args) {
        Ok(Done::Well) => ExitCode::SUCCESS,
        Ok(Done::Empty) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let mut text = format!("error: {error}\n");
            for cause in error.chain().skip(1) {
                text += &format!("  caused by: {cause}\n");
            }
            if let Some(hint) = hint::hint(&error) {
                text += &format!("hint: {hint}\n");
            }
            // If stderr is gone too, the exit code still says it.
            let _ = std::io::stderr().write_all(text.as_bytes());
            ExitCode::from(2)
        }
    }
}

fn run(args: Args) -> Result<Done> {
    let dir = &args.dir;
    match args.command {
        Command::Demo(demo) => command::demo::run(dir, &demo),
        Command::Init(init) => command::init::run(dir, &init),
        Command::Doctor(doctor) => command::doctor::run(dir, &doctor),
        Command::Up(up) => command::up::run(dir, &up),
        Command::Crawl(crawl) => command::crawl::run(dir, &crawl),
        Command::Serve(serve) => command::serve::run(dir, &serve),
        Command::Health(health) => command::health::run(dir, health),
        Command::Search(search) => command::search::run(dir, &search),
        Command::Eval(eval) => command::eval::run(dir, &eval),
        Command::Status(status) => command::status::run(dir, status),
        Command::Pause(told) => command::pause::run(dir, told),
        Command::Resume(told) => command::resume::run(dir, told),
        Command::Stop(told) => command::stop::run(dir, told),
        Command::Why(why) => command::why::run(dir, &why),
        Command::Forget(forget) => command::forget::run(dir, &forget),
        Command::Check(check) => command::check::run(dir, check),
        Command::Import(import) => command::import::run(dir, &import),
        Command::ReadDocument => command::read_document::run(),
        Command::Export(export) => command::export::run(dir, &export),
        Command::Graph(graph) => command::graph::run(dir, &graph),
        Command::Reparse(told) => command::reparse::run(dir, told),
        Command::Completions(completions) => command::completions::run(&completions),
        Command::Man(man) => command::man::run(&man),
    }
}

/// Warnings and errors by default; `-v` adds what stages do, `-vv` each host, `-vvv` each page.
/// `RUST_LOG` says it in detail. html5ever's warnings are about strangers' pages: nobody here
/// can do anything about them.
fn log_to_stderr(verbose: u8, format: LogFormat) {
    let level = ["warn", "info", "debug", "trace"][usize::from(verbose.min(3))];
    let ours = ["base", "text", "archive", "parse", "crawl", "graph", "index", "rank", "serve"];
    let directives: Vec<String> = ours.iter().map(|name| format!("{name}={level}")).collect();
    let default =
        || EnvFilter::new(format!("warn,html5ever=error,lookfar={level},{}", directives.join(",")));
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| default());
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(recent::Remembered)
        .with_ansi(colours && format == LogFormat::Text)
        // They would be told on stderr, and a closed one would be a panic with every line.
        .log_internal_errors(false);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
}

/// A reader that has seen enough (`lookfar search … | head`) is not an error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    causes.any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
