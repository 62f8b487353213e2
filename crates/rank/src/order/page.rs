//! What a page is, whatever was asked: how fresh, and how honest its words look.

use base::Timestamp;

/// Days after which a page is half as fresh.
const HALF_LIFE: f32 = 365.0;
const DAY_MILLIS: f32 = 24.0 * 3600.0 * 1000.0;

/// Spam scores up to here are found on honest pages too, lists of names for instance.
const HARMLESS: f32 = 0.3;

/// Returns 1 for a page that was worked on just now, ½ after a year, less and less later; 0 for one
/// that does not say. A day that has not come yet is worth no more than today.
pub(super) fn freshness(worked_on: Option<Timestamp>, now: Timestamp) -> f32 {
    let Some(at) = worked_on else { return 0.0 };
    let days = now.as_millis().saturating_sub(at.as_millis()).max(0) as f32 / DAY_MILLIS;
    (-days / HALF_LIFE).exp2()
}

/// Returns which part of what a page says in its own words is not believed, from 0 to 1.
pub(super) fn doubt(spam: f32) -> f32 {
    ((spam - HARMLESS) / (1.0 - HARMLESS)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_grow_old_evenly_and_no_claim_is_better_than_today() {
        let day = |number: i64| Timestamp::from_millis(number * 24 * 3600 * 1000);
        let now = day(20_000);
        assert_eq!(freshness(None, now), 0.0);
        assert_eq!(freshness(Some(now), now), 1.0);
        assert_eq!(freshness(Some(day(30_000)), now), 1.0);
        assert!((freshness(Some(day(20_000 - 365)), now) - 0.5).abs() < 1e-6);
        assert!((freshness(Some(day(20_000 - 730)), now) - 0.25).abs() < 1e-6);
        assert!(freshness(Some(Timestamp::from_millis(i64::MIN)), now) < 1e-6);
    }

    #[test]
    fn what_honest_pages_have_is_not_doubted() {
        assert_eq!([0.0, 0.3, 1.0].map(doubt), [0.0, 0.0, 1.0]);
        assert!(doubt(0.65) > 0.49 && doubt(0.65) < 0.51);
        assert_eq!(doubt(7.0), 1.0);
    }
}
