//! Tests of shingles and sketches: the textbook's example, and how far estimates are off.

use base::Zone;

use super::*;

fn shingles(text: &str, words: usize) -> Shingles {
    Shingles::of(&[Block { zone: Zone::Body, text: text.to_owned() }], words)
}

#[test]
fn w8_seven_of_eleven_pairs_of_words_are_shared() {
    let one = shingles("I like to watch the sun set with my friend.", 2);
    let other = shingles("My friend and I like to watch the sun set.", 2);
    assert_eq!((one.num_shingles(), other.num_shingles()), (9, 9));
    assert_eq!(one.num_shared(&other), 7);
    assert_eq!(one.jaccard(&other), 7.0 / 11.0);
    // Two errors of 84 min-hashes.
    let estimate = resemblance(&one.sketch(), &other.sketch());
    assert!((estimate - 7.0 / 11.0).abs() <= 0.105, "{estimate}");
}

/// Two sets of `size` shingles of which `shared` are in both; like no others of another seed.
fn pair(size: u64, shared: u64, seed: u64) -> (Shingles, Shingles) {
    let shingle = |number: u64| mixed(number, seed.wrapping_mul(TWO));
    let one = (0..size).map(shingle).collect();
    let other = (size - shared..2 * size - shared).map(shingle).collect();
    (Shingles(distinct(one)), Shingles(distinct(other)))
}

/// Returns the mean and the standard deviation of some hundred estimates.
fn errors(
    size: u64,
    shared: u64,
    estimate: impl Fn(&Shingles, &Shingles) -> f64,
) -> (f64, f64, f64) {
    const PAIRS: u64 = 150;
    let (mut sum, mut squares, mut truth) = (0.0, 0.0, 0.0);
    for seed in 1..=PAIRS {
        let (one, other) = pair(size, shared, seed);
        truth = one.jaccard(&other);
        let off = estimate(&one, &other) - truth;
        sum += off;
        squares += off * off;
    }
    (truth, sum / PAIRS as f64, (squares / PAIRS as f64).sqrt())
}

/// The lowest hashes under 84 functions that have nothing to do with each other.
fn independent(shingles: &Shingles) -> Vec<u64> {
    let lowest = |function: u64| {
        shingles.0.iter().map(move |shingle| xxh3_64_with_seed(&shingle.to_le_bytes(), function))
    };
    (0..MIN_HASHES as u64).map(|function| lowest(function).min().unwrap()).collect()
}

#[test]
fn estimates_are_as_good_as_those_of_84_independent_functions() {
    for (size, shared) in [(20, 10), (20, 18), (60, 40), (60, 57), (300, 285)] {
        let by_sketch =
            |one: &Shingles, other: &Shingles| resemblance(&one.sketch(), &other.sketch());
        let by_many = |one: &Shingles, other: &Shingles| {
            let (one, other) = (independent(one), independent(other));
            let equal = one.iter().zip(&other).filter(|(one, other)| one == other).count();
            equal as f64 / MIN_HASHES as f64
        };
        let (truth, bias, spread) = errors(size, shared, by_sketch);
        let (_, _, spread_of_many) = errors(size, shared, by_many);
        let bound = (truth * (1.0 - truth) / MIN_HASHES as f64).sqrt();
        println!(
            "{size} shingles, J {truth:.3}: bias {bias:+.4}, error {spread:.4}, \
             {spread_of_many:.4} with 84 functions, bound {bound:.4}"
        );
        assert!(bias.abs() <= bound / 3.0, "size {size}, J {truth:.3}: bias {bias}");
        assert!(spread <= bound * 1.2, "size {size}, J {truth:.3}: {spread} > {bound}");
        assert!(spread <= spread_of_many * 1.25, "{spread} and {spread_of_many}");
    }
}

#[test]
fn two_of_six_super_shingles_are_shared_as_often_as_computed() {
    for shared in [990, 970, 950, 900] {
        let near = (1..=300).filter(|seed| {
            let (one, other) = pair(1_000, shared, *seed);
            let supers = |shingles: &Shingles| super_shingles(&shingles.sketch()).unwrap();
            let (one, other) = (supers(&one), supers(&other));
            one.iter().zip(&other).filter(|(one, other)| one == other).count() >= 2
        });
        let share = near.count() as f64 / 300.0;
        let jaccard = shared as f64 / (2_000 - shared) as f64;
        let each = jaccard.powi(14);
        let computed = 1.0 - (1.0 - each).powi(6) - 6.0 * each * (1.0 - each).powi(5);
        println!("J {jaccard:.3}: {share:.3} of the pairs, {computed:.3} computed");
        // Three errors of 300 pairs at most.
        assert!((share - computed).abs() <= 0.087, "J {jaccard:.3}: {share}, not {computed}");
    }
}

#[test]
fn sets_of_other_sizes_are_compared_without_bias() {
    // 100 shingles within 300: J = 1/3.
    let mut sum = 0.0;
    for seed in 1..=300 {
        let (small, _) = pair(100, 100, seed);
        let (large, _) = pair(300, 300, seed);
        assert_eq!(small.jaccard(&large), 1.0 / 3.0);
        sum += resemblance(&small.sketch(), &large.sketch());
    }
    assert!((sum / 300.0 - 1.0 / 3.0).abs() < 0.015, "{}", sum / 300.0);
}

#[test]
fn what_is_no_sketch_resembles_nothing() {
    let (one, _) = pair(100, 100, 1);
    let whole = one.sketch();
    for broken in [Sketch::default(), Sketch(vec![0; 83]), Sketch(vec![7; 85])] {
        assert_eq!(super_shingles(&broken), None);
        assert_eq!(resemblance(&whole, &broken), 0.0);
        assert_eq!(resemblance(&broken, &broken), 0.0);
    }
    assert_eq!(resemblance(&whole, &whole), 1.0);
}

#[test]
fn order_counts_and_repetition_does_not() {
    let text = "one two three four five six seven eight nine ten";
    assert_eq!(shingles(text, 8).num_shingles(), 3);
    let reversed: Vec<&str> = text.split(' ').rev().collect();
    assert_eq!(shingles(text, 8).jaccard(&shingles(&reversed.join(" "), 8)), 0.0);
    let twice = format!("{text} {text}");
    assert_eq!(shingles(text, 8).num_shared(&shingles(&twice, 8)), 3);
    assert_eq!(shingles("", 8).jaccard(&shingles("", 8)), 0.0);
}

#[test]
fn shingles_end_with_their_block_and_short_blocks_are_one() {
    let blocks = |texts: &[&str]| -> Vec<Block> {
        texts.iter().map(|text| Block { zone: Zone::Body, text: (*text).to_owned() }).collect()
    };
    let text = "one two three four five six seven eight nine ten";
    let of = |texts: &[&str]| Shingles::of(&blocks(texts), 8);
    assert_eq!(of(&[text, "a b", "c", "…"]).num_shingles(), 3 + 2);
    assert_eq!(of(&["by somebody", text]).num_shared(&of(&[text, "by nobody"])), 3);
}
