//! How segments are kept few, how a writer fails, and what a start finds.

use base::{ContentKind, Timestamp, Url};
use tantivy::SegmentMeta;
use tantivy::merge_policy::MergePolicy;

use super::*;

fn entry(number: u64) -> Entry {
    let id = PageId::new(0, number).unwrap();
    let url = Url::parse(&format!("http://a.example/{number}")).unwrap();
    let mut record = PageRecord::new(id, url, Timestamp::default(), 200);
    record.kind = ContentKind::Html;
    record.title = format!("page {number}");
    let position = |offset| Position { offset, ..Position::START };
    Entry { start: position(number), end: position(number + 1), record }
}

/// Lets the policy merge after each commit, `lag` commits late, and returns the most segments
/// that there were.
fn most_segments(num_docs: impl IntoIterator<Item = u32>, lag: usize) -> usize {
    let index = Index::create_in_ram(Fields::schema().0);
    let policy = merge_policy(SEGMENTS);
    let segment = |num_docs| index.new_segment_meta(SegmentId::generate_random(), num_docs);
    let (mut segments, mut most) = (Vec::<SegmentMeta>::new(), 0);
    for (number, num_docs) in num_docs.into_iter().enumerate() {
        segments.push(segment(num_docs));
        most = most.max(segments.len());
        if number % (lag + 1) != lag {
            continue;
        }
        for merge in policy.compute_merge_candidates(&segments) {
            let (gone, left) =
                segments.into_iter().partition(|segment| merge.0.contains(&segment.id()));
            segments = left;
            let sum = gone.iter().map(SegmentMeta::num_docs).sum();
            segments.push(segment(sum));
        }
    }
    most
}

#[test]
fn idx_07_ten_thousand_commits_of_any_size_leave_few_segments() {
    // One page each; a page a second with a burst now and then; full speed.
    assert!(most_segments(std::iter::repeat_n(1, 10_000), 0) <= 24);
    let bursts = (0..10_000_u32).map(|number| if number % 97 == 0 { 4_000 } else { number % 7 });
    assert!(most_segments(bursts, 0) <= 60);
    assert!(most_segments(std::iter::repeat_n(300, 10_000), 0) <= 60);
    // A disk so slow that ten commits pass before anything is merged.
    assert!(most_segments(std::iter::repeat_n(20, 10_000), 10) <= 60);
}

#[test]
fn segments_that_follow_each_other_are_merged_until_few_are_left() {
    let sizes = |sizes: &[u32]| {
        let segments: Vec<_> =
            sizes.iter().map(|size| (SegmentId::generate_random(), *size)).collect();
        let size = |id: &SegmentId| segments.iter().find(|(one, _)| one == id).unwrap().1;
        let groups = groups(&segments);
        groups.iter().map(|group| group.iter().map(size).collect()).collect::<Vec<Vec<_>>>()
    };
    assert_eq!(sizes(&[9, 1, 1, 1]), Vec::<Vec<u32>>::new());
    assert_eq!(sizes(&[5, 6, 5, 6, 5, 6, 5, 6]), [[5, 6], [5, 6], [5, 6], [5, 6]]);
    // One that is large stays as it is.
    assert_eq!(sizes(&[64, 4, 3, 2, 1, 8]), [vec![4, 3, 2, 1, 8]]);
    assert_eq!(sizes(&[1, 2, 3, 4, 64]), [vec![1, 2, 3, 4]]);
    assert_eq!(sizes(&[]), Vec::<Vec<u32>>::new());
}

#[test]
fn stacking_segments_leaves_few_of_them_and_no_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { memory_bytes: LEAST_SEGMENT };
    let mut writer = Writer::open_bulk(folder.path(), options, 2).unwrap();
    for number in 0..12 {
        writer.apply(&entry(number)).unwrap();
        writer.commit().unwrap();
    }
    let metas = writer.writer.index().searchable_segment_metas().unwrap();
    let segments: Vec<_> = metas.iter().map(|meta| (meta.id(), meta.num_docs())).collect();
    assert_eq!(segments.len(), 12);
    // Files of segments that anyone still knows are not removed.
    drop(metas);
    writer.stack(&segments).unwrap();
    writer.finish().unwrap();
    let (index, _) = folder::open_pages(folder.path()).unwrap();
    let metas = index.load_metas().unwrap();
    assert_eq!(metas.segments.iter().map(SegmentMeta::num_docs).collect::<Vec<_>>(), [3, 3, 3, 3]);
    assert_eq!(folder::checkpoint(&metas), Position { offset: 12, ..Position::START });
    let is_named = |name: &str| {
        metas.segments.iter().any(|segment| name.starts_with(&segment.id().uuid_string()))
    };
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_segment = name.split('.').next().is_some_and(|name| name.len() == 32);
        assert!(!is_segment || is_named(&name), "{name}");
    }
}

#[test]
fn idx_09_a_thread_that_has_died_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(&folder.path().join("index"), Options::default()).unwrap();
    std::fs::remove_dir_all(folder.path().join("index")).unwrap();
    // It ends over the first page. Another is on its way for ever, and there is room for one.
    writer.apply(&entry(0)).unwrap();
    writer.queue = Queue::new(1);
    let document = writer.fields.ordered_document(&entry(1).record, 0);
    let _stuck = writer.queue.admit(document, || true);
    let failure = writer.apply(&entry(2)).err();
    assert!(failure.is_some_and(|failure| failure.may_pass()));
}

#[test]
fn a_lock_that_is_let_go_in_a_moment_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { memory_bytes: LEAST_SEGMENT };
    let first = Writer::open(folder.path(), options).unwrap();
    assert!(matches!(Writer::open(folder.path(), options), Err(Error::InUse(_))));
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(2 * LOCK_PAUSE);
            drop(first);
        });
        Writer::open(folder.path(), options).unwrap();
    });
}

/// Returns whether a page has a document.
fn is_found(folder: &Path, number: u64) -> bool {
    let reader = crate::Reader::open(folder);
    reader.snapshot().unwrap().unwrap().find(PageId::new(0, number).unwrap()).is_some()
}

/// The merge that is due at a start begins before the first commit, with the number of the last one:
/// to it, an operation with the same number was of that commit, for those segments that were not
/// changed by it. A page could come back for good, or go before its time.
#[test]
fn sto_02_the_first_page_taken_out_after_a_start_goes_with_its_commit_though_a_merge_is_due() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let options = Options { memory_bytes: LEAST_SEGMENT };
    let mut writer = Writer::open(folder, options).unwrap();
    writer.writer.set_merge_policy(Box::new(NoMergePolicy));
    let mut end = 0;
    let mut apply = |writer: &mut Writer, number, status| {
        let mut entry = entry(number);
        end += 1;
        entry.record.status = status;
        entry.end.offset = end;
        writer.apply(&entry).unwrap();
    };
    // Of the first two segments pages are taken out: of one by the last commit already.
    for first in (0..40).step_by(4) {
        for number in first..first + if first < 8 { 3 } else { 4 } {
            apply(&mut writer, number, 200);
        }
        writer.commit().unwrap();
    }
    apply(&mut writer, 0, 404);
    writer.commit().unwrap();
    drop(writer);
    let mut writer = Writer::open(folder, options).unwrap();
    apply(&mut writer, 1, 404);
    apply(&mut writer, 4, 404);
    apply(&mut writer, 100, 200);
    writer.commit().unwrap();
    writer.finish().unwrap();
    let there: Vec<u64> = (0..7).filter(|number| is_found(folder, *number)).collect();
    assert_eq!(there, [2, 5, 6]);
    let (index, _) = folder::open_pages(folder).unwrap();
    assert!(index.load_metas().unwrap().segments.len() < SEGMENTS);
}
