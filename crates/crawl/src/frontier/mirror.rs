//! What is known of hosts that look like copies of another one (LNK-10).
//!
//! ```text
//!                    ┌──────────── no page of the leader is in sight, or one differs ───────────┐
//!                    │                                                                          ↓
//! Free ──→ Held ──→ Reader ──→ Held, and the group has one more judged             Cleared: read in full
//!           │ one at a time                                                                     ↑
//!           └──────────── a look, now and then, finds a page of its own ────────────────────────┘
//! ```
//! A host is *held* when one of its first pages is, with its text and with the links on its own
//! host, a page of another host at the same path. The other host leads a [`Group`]; of those held
//! one at a time reads on. The rest waits, and is visited for one page at growing distances.

use std::time::Duration;

use base::{Host, LinkKind, PageId, PageRecord, Timestamp};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// A host whose pages are those of another one, as far as they have been read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mirror {
    pub(crate) of: Host,
    /// Pages that are the same at the same path.
    pub(crate) same: u32,
    /// Pages of its own.
    pub(crate) own: u32,
    /// Whether its front page is the other's.
    pub(crate) has_its_front: bool,
    pub(crate) hold: Hold,
    /// Pages read of it, one at a time, since it is slowed.
    pub(crate) looks: u8,
    /// When it is visited next, while it is slowed.
    pub(crate) look_at: Timestamp,
}

/// Where a host stands among those that look like another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Hold {
    /// Nobody suspects it.
    #[default]
    Free,
    /// It waits: as a suspect, or because it has been judged a mirror.
    Held,
    /// It is read on for its group.
    Reader,
    /// It was suspected, but has pages of its own.
    Cleared,
}

impl Hold {
    /// Returns whether the host belongs to a group.
    pub(crate) fn is_suspect(self) -> bool {
        matches!(self, Self::Held | Self::Reader)
    }
}

/// First look at a host that is slowed; the distance doubles with each one.
const FIRST_LOOK: Duration = Duration::from_secs(3600);
const LONGEST_LOOK: Duration = Duration::from_secs(30 * 24 * 3600);
/// Pages that another host has not been seen to have, after which it leads nobody here.
const UNSEEN: u32 = 8;

impl Mirror {
    pub(super) fn new(of: Host) -> Self {
        Self {
            of,
            same: 0,
            own: 0,
            has_its_front: false,
            hold: Hold::Free,
            looks: 0,
            look_at: Timestamp::default(),
        }
    }

    /// Returns whether it is not worth more fetches: the front page is the other's and all pages
    /// agree, or nearly all of many do. Terms and imprints alone do not make a mirror.
    pub(crate) fn is_likely(&self) -> bool {
        self.is_sure() || self.has_its_front && self.same >= 4 && self.same >= 8 * self.own
    }

    /// Returns whether enough pages agree.
    pub(crate) fn is_sure(&self) -> bool {
        self.same >= 8 && self.same >= 9 * self.own
    }

    /// Returns whether the host is out of rotation but for single pages.
    pub(crate) fn is_slowed(&self) -> bool {
        match self.hold {
            Hold::Held => true,
            Hold::Reader => false,
            Hold::Free | Hold::Cleared => self.is_likely(),
        }
    }

    /// Returns whether one page at a time is read, since each may change what is thought of it.
    pub(crate) fn is_watched(&self) -> bool {
        self.hold == Hold::Reader || self.is_slowed()
    }

    /// Returns whether it has more pages that the other host has not been seen to have than a
    /// reader that is ahead would find.
    pub(super) fn goes_its_own_way(&self) -> bool {
        self.own >= UNSEEN && self.own >= self.same
    }

    /// Returns whether a reader has seen enough; in a group where another one has been judged, a
    /// second page is enough.
    pub(super) fn is_judged(&self, group: &Group) -> bool {
        self.is_likely() || group.judged > 0 && self.own == 0 && self.same >= 2
    }

    /// Returns whether a reader that has nothing more to read was a mirror, though a small one.
    pub(super) fn is_judged_at_its_end(&self) -> bool {
        self.own == 0 && self.same >= 3
    }

    /// Begins to wait for the first look.
    pub(super) fn slow_down(&mut self, now: Timestamp) {
        (self.looks, self.look_at) = (0, now.plus(FIRST_LOOK));
    }

    /// Notes a page that was read while the host was slowed; what came before the moment of the
    /// look was already under way.
    pub(super) fn looked(&mut self, now: Timestamp, found: Look) {
        if now < self.look_at {
            return;
        }
        self.looks = match found {
            Look::Nothing => self.looks.saturating_add(1),
            Look::Something => 0,
        };
        let distance = FIRST_LOOK.saturating_mul(1 << self.looks.min(16));
        self.look_at = now.plus(distance.min(LONGEST_LOOK));
    }
}

/// What a look at a slowed host brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Nothing,
    Something,
}

/// The hosts that look like one other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Group {
    /// The one that is read on.
    pub(super) reader: Option<Host>,
    /// Hosts that were ever suspected.
    pub(super) members: u32,
    /// Hosts that wait to be read on.
    pub(super) listed: u32,
    /// Readers that turned out to be mirrors.
    pub(super) judged: u32,
    /// Members that turned out to have pages of their own.
    pub(super) cleared: u32,
}

/// Hosts of one group that wait to be read on; more are judged each by itself.
pub(super) const LISTED: u32 = 4_096;
/// Cleared hosts after which a group means nothing.
const CLEARED: u32 = 3;
/// Mirrors of a group that are judged each by its own pages, if it has so many.
const FEWEST: u32 = 4;

impl Group {
    /// Returns whether looking like the leader has proved to mean nothing.
    pub(super) fn is_dissolved(&self) -> bool {
        self.cleared >= CLEARED && self.cleared > 4 * self.judged
    }

    /// Returns whether one more is to be read on: until one is judged, then a few more by a second
    /// page each, the more the larger the group is. Where mirrors and others share a face, all are tried, one by one.
    pub(super) fn wants_reader(&self) -> bool {
        let samples = (self.members.max(1).ilog2() / 2).max(FEWEST);
        self.reader.is_none()
            && self.listed > 0
            && (self.judged == 0 || self.cleared > 0 || self.judged < samples)
    }
}

/// One of a host's first pages, to be compared with those of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FirstPage {
    pub(super) page: PageId,
    /// Hash of the links on its own host.
    pub(super) links: u64,
}

/// Pages of a host that are kept for comparison, its front page apart.
pub(super) const FIRST_PAGES: usize = 4;
/// Text that a page must have to be a host's face: "It works!" and parked names have less.
const FACE_BYTES: usize = 240;
/// Other pages of its host that it must link to.
const FACE_LINKS: usize = 3;

/// Returns a hash of where a page leads on its own host; `None` for one that says too little to
/// tell hosts by.
pub(super) fn face(record: &PageRecord) -> Option<u64> {
    let bytes: usize = record.blocks.iter().map(|block| block.text.len()).sum();
    if bytes < FACE_BYTES {
        return None;
    }
    let own = |link: &&base::Link| {
        matches!(link.kind, LinkKind::Anchor | LinkKind::Frame)
            && link.target.host_str() == record.url.host_str()
            && link.target.path_and_query() != record.url.path_and_query()
    };
    let mut paths: Vec<&str> =
        record.links.iter().filter(own).map(|link| link.target.path_and_query()).collect();
    paths.sort_unstable();
    paths.dedup();
    (paths.len() >= FACE_LINKS).then(|| xxh3_64(paths.join("\n").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mirror(same: u32, own: u32, hold: Hold) -> Mirror {
        let of = Host::parse("b.example").unwrap();
        Mirror { same, own, hold, has_its_front: true, ..Mirror::new(of) }
    }

    #[test]
    fn lnk_10_a_mirror_stops_at_once_unless_it_has_pages_of_its_own() {
        assert!(!mirror(3, 0, Hold::Free).is_slowed());
        assert!(mirror(4, 0, Hold::Free).is_slowed());
        assert!(!mirror(7, 1, Hold::Free).is_slowed());
        assert!(mirror(8, 1, Hold::Cleared).is_slowed());
        assert!(mirror(1, 0, Hold::Held).is_slowed());
        assert!(!mirror(4, 0, Hold::Reader).is_slowed(), "it is about to be judged");
    }

    #[test]
    fn lnk_10_a_slowed_host_is_looked_at_at_growing_distances() {
        let at = |hours: u64| Timestamp::default().plus(Duration::from_secs(3600 * hours));
        let mut slowed = mirror(4, 0, Hold::Held);
        slowed.slow_down(at(0));
        assert_eq!(slowed.look_at, at(1));
        slowed.looked(at(0), Look::Nothing);
        assert_eq!(slowed.look_at, at(1), "that page was under way before");
        slowed.looked(at(1), Look::Nothing);
        assert_eq!(slowed.look_at, at(3));
        slowed.looked(at(3), Look::Nothing);
        assert_eq!(slowed.look_at, at(7));
        slowed.looked(at(7), Look::Something);
        assert_eq!(slowed.look_at, at(8));
        for _ in 0..300 {
            slowed.looked(slowed.look_at, Look::Nothing);
        }
        let last = slowed.look_at;
        slowed.looked(last, Look::Nothing);
        assert_eq!(slowed.look_at, last.plus(LONGEST_LOOK));
    }

    #[test]
    fn lnk_10_of_a_group_a_few_are_read_on_and_all_where_they_differ() {
        let group = |members, judged, cleared| Group {
            members,
            judged,
            cleared,
            listed: 1,
            ..Group::default()
        };
        assert!(group(1, 0, 0).wants_reader());
        assert!(group(50, 3, 0).wants_reader() && !group(50, 4, 0).wants_reader());
        assert!(group(4_000, 4, 0).wants_reader() && !group(4_000, 5, 0).wants_reader());
        assert!(group(50, 4, 1).wants_reader(), "not all are alike");
        assert!(!Group { listed: 0, ..group(50, 0, 0) }.wants_reader());
        assert!(!group(50, 0, 2).is_dissolved() && group(50, 0, 3).is_dissolved());
        assert!(!group(50, 2, 8).is_dissolved() && group(50, 2, 9).is_dissolved());
    }
}
