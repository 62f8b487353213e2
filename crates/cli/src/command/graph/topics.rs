//! `lookfar graph topics`: PageRank by topic, and what a blend of topics makes of it (G3).

use std::path::{Path, PathBuf};

use ::graph::{Teleport, blend};
use anyhow::{Context, Result, bail};

use super::from::{FromArgs, hold_names};
use super::table::{Column, ShowArgs};
use super::walk::WalkArgs;
use crate::Done;

pub(super) const EXAMPLES: &str = "Examples:
  lookfar graph topics --set cats=cats.txt --set cars=cars.txt --weights cats=0.7,cars=0.3
  lookfar graph topics --graph links.tsv --set one=A,C --set other=B --all --json
  lookfar graph topics --bookmarks bookmarks.html --set cars=cars.txt --weights bookmarks=0.6,cars=0.4
  lookfar graph topics --set mine=@pages.txt --set zoo='http://zoo.example/*' --set cats='?jaguar'";

#[derive(clap::Args)]
pub(crate) struct TopicsArgs {
    #[command(flatten)]
    from: FromArgs,
    /// A topic: NAME=FILE with a node per line, NAME=a,b, 'NAME=http://a.example/*' for all that
    /// begin so, or 'NAME=?query' for what it finds in the collection; may be given several times.
    #[arg(
        long = "set",
        required_unless_present = "bookmarks",
        value_name = "NAME=NODES",
        help_heading = "How to rank"
    )]
    sets: Vec<String>,
    /// The topic `bookmarks`: pages of a file that a browser has exported its bookmarks to.
    #[arg(long, value_name = "FILE", help_heading = "How to rank")]
    bookmarks: Option<PathBuf>,
    /// How much each topic counts in the blend: cats=0.7,cars=0.3; otherwise all the same.
    #[arg(long, value_name = "NAME=W,…", help_heading = "How to rank")]
    weights: Option<String>,
    #[command(flatten)]
    walk: WalkArgs,
    #[command(flatten)]
    show: ShowArgs,
}

/// What the topic of `--bookmarks` is called.
const BOOKMARKS: &str = "bookmarks";

pub(crate) fn run(dir: &Path, args: &TopicsArgs) -> Result<Done> {
    let mut names = names(&args.sets)?;
    if args.bookmarks.is_some() {
        if names.iter().any(|(name, _)| *name == BOOKMARKS) {
            bail!("there are two topics `{BOOKMARKS}`");
        }
        names.push((BOOKMARKS, ""));
    }
    let shares = shares(&names, args.weights.as_deref())?;
    let mut named = args.from.open_counted(dir)?;
    if args.show.all {
        hold_names(&mut named)?;
    }
    let sets = args.from.sets(dir, &named);
    let mut teleports = Vec::new();
    for (name, set) in &names {
        let nodes = match &args.bookmarks {
            Some(path) if *name == BOOKMARKS => sets.of_file(path),
            _ => sets.nodes(set),
        };
        let nodes = nodes.with_context(|| format!("cannot rank `{name}`"))?;
        teleports.push(Teleport::Nodes(nodes));
    }
    let names: Vec<&str> = names.into_iter().map(|(name, _)| name).collect();
    let options = args.walk.options(&args.from.ranking(dir)?);
    let (ranks, rest) = args.walk.rank_all(&names, named.take_in_links(), &teleports, &options)?;
    let parts: Vec<(&[f64], f64)> =
        ranks.iter().zip(&shares).map(|(ranks, share)| (ranks.scores.as_slice(), *share)).collect();
    let blended = blend(&parts)?;
    let columns: Vec<Column> =
        names.into_iter().zip(ranks).map(|(name, ranks)| Column::new(name, ranks.scores)).collect();
    Ok(rest.done(args.show.print(&named, "blend", &blended, &columns)?))
}

/// Takes `NAME=NODES` apart.
fn names(sets: &[String]) -> Result<Vec<(&str, &str)>> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for set in sets {
        let Some((name, nodes)) = set.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            bail!("`--set {set}` does not say NAME=FILE or NAME=a,b");
        };
        if names.iter().any(|(known, _)| *known == name) {
            bail!("there are two topics `{name}`");
        }
        names.push((name, nodes));
    }
    Ok(names)
}

/// Returns the share of each topic; they sum to 1.
fn shares(names: &[(&str, &str)], weights: Option<&str>) -> Result<Vec<f64>> {
    let Some(weights) = weights else {
        return Ok(vec![1.0 / names.len() as f64; names.len()]);
    };
    let mut shares = vec![0.0; names.len()];
    for part in weights.split(',') {
        let (name, weight) = part.split_once('=').unwrap_or((part, ""));
        let place = names.iter().position(|(known, _)| *known == name.trim());
        let place = place.with_context(|| format!("`--weights`: there is no topic `{name}`"))?;
        let weight =
            weight.parse().ok().filter(|weight: &f64| weight.is_finite() && *weight >= 0.0);
        shares[place] = weight
            .with_context(|| format!("`--weights {part}`: a weight is a number, not negative"))?;
    }
    let sum: f64 = shares.iter().sum();
    if !(sum > 0.0 && sum.is_finite()) {
        bail!("`--weights {weights}`: one weight at least must be above 0");
    }
    shares.iter_mut().for_each(|share| *share /= sum);
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_shares_of_the_topics_named() {
        let sets = ["a=A".to_owned(), "b=B=1,C".to_owned()];
        let names = names(&sets).unwrap();
        assert_eq!(names, [("a", "A"), ("b", "B=1,C")]);
        assert_eq!(shares(&names, None).unwrap(), [0.5, 0.5]);
        assert_eq!(shares(&names, Some("b=3,a=1")).unwrap(), [0.25, 0.75]);
        assert_eq!(shares(&names, Some("b=2")).unwrap(), [0.0, 1.0]);
        for bad in ["c=1", "a", "a=-1", "a=NaN", "a=0,b=0", "a=1e308,b=1e308", ""] {
            assert!(shares(&names, Some(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn topics_need_names_of_their_own() {
        for bad in [&["A,B"][..], &["=A"], &["a=A", "a=B"]] {
            let sets: Vec<String> = bad.iter().map(|set| (*set).to_owned()).collect();
            assert!(names(&sets).is_err(), "{bad:?}");
        }
    }
}
