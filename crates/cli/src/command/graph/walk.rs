//! Options of a random walk, its progress, and whether it came to rest.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ::graph::{
    DeadEnds, Error, InLinks, Iteration, Packed, PageRankOptions, Ranks, Teleport, Walk, plot,
    topics_with,
};
use anyhow::{Context, Result};
use indicatif::HumanCount;

use crate::Done;
use crate::progress::{Of, Progress};

/// Steps at most when nobody says how many: enough for the tolerance up to a β of 0.97.
const STEPS: u32 = 1_000;

/// Told of every step of a ranking.
pub(super) type Watch<'a> = &'a mut dyn FnMut(Iteration) -> ControlFlow<()>;

/// How visitors go on, for commands that choose the steps themselves.
#[derive(clap::Args)]
#[command(next_help_heading = "How to rank")]
pub(super) struct JumpArgs {
    /// Chance that a visitor follows a link instead of jumping; 1 is no jumping at all. Otherwise
    /// 0.85, or what `[graph] beta` in lookfar.toml says.
    #[arg(long, value_name = "B", allow_hyphen_values = true)]
    beta: Option<f64>,
    /// What a visitor does on a page without links; otherwise redistribute, or what `[graph]
    /// dead_ends` in lookfar.toml says.
    #[arg(long, value_enum, value_name = "HOW")]
    dead_ends: Option<DeadEndsArg>,
}

impl JumpArgs {
    /// Returns how to rank; what the command line does not say is as in `unsaid`.
    pub(super) fn options(&self, unsaid: &PageRankOptions) -> PageRankOptions {
        PageRankOptions {
            beta: self.beta.unwrap_or(unsaid.beta),
            dead_ends: match self.dead_ends {
                None => unsaid.dead_ends,
                Some(DeadEndsArg::Redistribute) => DeadEnds::Redistribute,
                Some(DeadEndsArg::Stay) => DeadEnds::Stay,
                Some(DeadEndsArg::Prune) => DeadEnds::Prune,
                Some(DeadEndsArg::Leak) => DeadEnds::Leak,
            },
            max_iterations: STEPS,
            ..PageRankOptions::default()
        }
    }
}

#[derive(clap::Args)]
#[command(next_help_heading = "How to rank")]
pub(super) struct WalkArgs {
    #[command(flatten)]
    jump: JumpArgs,
    /// Ends when a step moves no more than this, summed over all nodes (L1).
    #[arg(long, default_value = "1e-12", value_name = "T", allow_hyphen_values = true)]
    tolerance: f64,
    /// Ends after this many steps and shows the ranks there; otherwise 1000 at most, and exit
    /// code 1 if they have not come to rest.
    #[arg(long, value_name = "N")]
    iterations: Option<u32>,
    /// Tells how far each step moved: on stderr, or as columns in a file for a plot.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    log: Option<Option<PathBuf>>,
    /// Draws how far each step moved, as a picture (SVG).
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// What a visitor does on a page without links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum DeadEndsArg {
    /// Jumps as anywhere else. Ranks sum to 1.
    Redistribute,
    /// Stays. Ranks sum to 1.
    Stay,
    /// The page is left out, again and again, and gets its rank from those who link to it.
    Prune,
    /// Is lost, to show why something must be done.
    Leak,
}

/// Whether the ranks came to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rest {
    Reached,
    /// They did not, but the steps asked for were taken.
    Asked,
    Missed,
}

impl Rest {
    /// Returns how the command ended whose answer was printed.
    pub(super) fn done(self, printed: Done) -> Done {
        if self == Self::Missed { Done::Empty } else { printed }
    }
}

impl WalkArgs {
    /// Returns how to rank; what the command line does not say is as in `unsaid`.
    pub(super) fn options(&self, unsaid: &PageRankOptions) -> PageRankOptions {
        PageRankOptions {
            tolerance: self.tolerance,
            max_iterations: self.iterations.unwrap_or(STEPS),
            ..self.jump.options(unsaid)
        }
    }

    /// Empties the file of `--log`, before anything is ranked.
    pub(super) fn begin_log(&self) -> Result<()> {
        let Some(Some(path)) = &self.log else { return Ok(()) };
        let failed = || format!("cannot write `{}`", path.display());
        let mut file = File::create(path).with_context(failed)?;
        writeln!(file, "ranking\tstep\tl1").with_context(failed)
    }

    /// Lets `rank` rank with progress; says on stderr how it ended. `what` is ranked.
    pub(super) fn rank(
        &self,
        what: &str,
        options: &PageRankOptions,
        rank: impl FnOnce(Watch<'_>) -> Result<Ranks, Error>,
    ) -> Result<(Ranks, Rest)> {
        let ranks = with_progress(options, rank)?;
        let rest = self.tell(&[ranks.walk(what)], options)?;
        Ok((ranks, rest))
    }

    /// Ranks for several teleports in one pass over the graph; says of each how it ended.
    ///
    /// `Rest` is the worst of all.
    pub(super) fn rank_all(
        &self,
        names: &[&str],
        links: InLinks,
        teleports: &[Teleport],
        options: &PageRankOptions,
    ) -> Result<(Vec<Ranks>, Rest)> {
        self.begin_log()?;
        let total = u64::from(options.max_iterations);
        let mut progress = Progress::new("ranking, step", Of::Items, total);
        let watch = |number| {
            progress.show(u64::from(number));
            ControlFlow::Continue(())
        };
        let ranks = match Packed::new(&links) {
            Some(packed) => {
                drop(links);
                packed.topics_with(teleports, options, watch)
            }
            None => topics_with(&links, teleports, options, watch),
        };
        progress.finish();
        let ranks = ranks?;
        let walks: Vec<Walk> =
            names.iter().zip(&ranks).map(|(name, ranks)| ranks.walk(name)).collect();
        let rest = self.tell(&walks, options)?;
        Ok((ranks, rest))
    }

    /// Says how rankings went: on stderr how each ended, with their steps if `--log` asks for them,
    /// and in the picture of `--plot`. Returns the worst end; of no ranking, the best.
    pub(super) fn tell(&self, walks: &[Walk], options: &PageRankOptions) -> Result<Rest> {
        let mut worst = Rest::Reached;
        for walk in walks {
            self.write_log(&walk.what, &walk.log)?;
            drop(writeln!(std::io::stderr(), "{}: {}", walk.what, ended(walk, options)));
            worst = worst.max(match (walk.converged, self.iterations) {
                (true, _) => Rest::Reached,
                (false, Some(_)) => Rest::Asked,
                (false, None) => Rest::Missed,
            });
        }
        self.draw(walks)?;
        Ok(worst)
    }

    /// Draws the steps of rankings into the file of `--plot`.
    fn draw(&self, walks: &[Walk]) -> Result<()> {
        let Some(path) = &self.plot else { return Ok(()) };
        let axis = |label: &str, scale| plot::Axis {
            label: label.to_owned(),
            scale,
            unit: plot::Unit::Number,
        };
        let series = |walk: &Walk| plot::Series {
            name: walk.what.clone(),
            points: walk.log.iter().map(|step| (f64::from(step.number), step.l1)).collect(),
            mark: plot::Mark::Line,
        };
        let all: Vec<plot::Series> = walks.iter().map(series).collect();
        let axes = (&axis("step", plot::Scale::Linear), &axis("moved (L1)", plot::Scale::Log));
        let picture = plot::lines("How far each step moved", axes, &all);
        std::fs::write(path, picture).with_context(|| format!("cannot write `{}`", path.display()))
    }

    fn write_log(&self, what: &str, log: &[Iteration]) -> Result<()> {
        match &self.log {
            None => {}
            Some(None) => {
                for Iteration { number, l1 } in log {
                    drop(writeln!(std::io::stderr(), "{what}: step {number} moved {l1:.6e}"));
                }
            }
            Some(Some(path)) => {
                let failed = || format!("cannot write `{}`", path.display());
                append(path, what, log).with_context(failed)?;
            }
        }
        Ok(())
    }
}

/// Shows the steps of what `rank` ranks, one ranking or several.
pub(super) fn with_progress<T>(
    options: &PageRankOptions,
    rank: impl FnOnce(Watch<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let total = u64::from(options.max_iterations);
    let mut progress = Progress::new("ranking, step", Of::Items, total);
    let ranked = rank(&mut |iteration| {
        progress.show(u64::from(iteration.number));
        ControlFlow::Continue(())
    });
    progress.finish();
    ranked
}

/// Writes columns behind those of other topics.
fn append(path: &Path, what: &str, log: &[Iteration]) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::options().append(true).open(path)?);
    for Iteration { number, l1 } in log {
        writeln!(out, "{what}\t{number}\t{l1:e}")?;
    }
    out.flush()
}

/// Says in words how a ranking ended.
fn ended(walk: &Walk, options: &PageRankOptions) -> String {
    let Some(last) = walk.log.last() else {
        return "no step was taken".to_owned();
    };
    let steps = match last.number {
        1 => "1 step".to_owned(),
        number => format!("{} steps", HumanCount(number.into())),
    };
    if walk.converged {
        return format!("converged after {steps}; the last moved {:.1e} (L1)", last.l1);
    }
    let moved = format!("not converged after {steps}; the last moved {:.1e} (L1)", last.l1);
    // A periodic walk moves as far in each step as in the one before.
    let earlier = walk.log.iter().rev().nth(1);
    let is_swinging = earlier.is_some_and(|before| last.l1 > 0.999 * before.l1);
    match (is_swinging && last.l1 > 1e-9, options.beta == 1.0) {
        (true, true) => format!(
            "{moved}, as far as the one before: it never will without jumping, choose --beta below 1"
        ),
        (true, false) => format!("{moved}, as far as the one before"),
        (false, _) => moved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(moved: &[f64], converged: bool) -> Walk {
        let log = (1..).zip(moved).map(|(number, l1)| Iteration { number, l1: *l1 }).collect();
        Walk { what: "it".to_owned(), log, converged }
    }

    #[test]
    fn the_end_is_told_in_words() {
        let options = PageRankOptions { beta: 1.0, ..PageRankOptions::default() };
        let said = ended(&walk(&[0.5, 1e-13], true), &options);
        assert_eq!(said, "converged after 2 steps; the last moved 1.0e-13 (L1)");
        let said = ended(&walk(&[2.0; 1_000], false), &options);
        assert!(said.starts_with("not converged after 1,000 steps; the last moved 2.0e0 (L1)"));
        assert!(said.ends_with("choose --beta below 1"), "{said}");
        let said = ended(&walk(&[0.5, 0.25], false), &options);
        assert_eq!(said, "not converged after 2 steps; the last moved 2.5e-1 (L1)");
        assert_eq!(ended(&walk(&[], true), &options), "no step was taken");
    }
}
