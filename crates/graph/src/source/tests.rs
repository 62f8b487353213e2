//! Graphs of others, whole and broken.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;

/// Writes a file, reads it as a graph, and says what it is: names, then arcs.
fn read_as(name: &str, text: impl AsRef<[u8]>) -> Result<(String, String), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let named = Named::open(&path, None, &mut |_, _| ());
    named.map(|named| picture(&named)).map_err(|error| error.to_string())
}

fn picture(named: &Named) -> (String, String) {
    let name = |node| named.name(node).unwrap().into_owned();
    let names: Vec<String> = named.links().nodes().map(name).collect();
    let mut arcs = Vec::new();
    for from in named.links().nodes() {
        let to = |to| format!("{}>{}", name(from), name(to));
        arcs.extend(named.links().successors(from).map(to));
    }
    (names.join(" "), arcs.join(" "))
}

#[track_caller]
fn check(text: &str, names: &str, arcs: &str) {
    assert_eq!(read_as("x", text).unwrap(), (names.to_owned(), arcs.to_owned()));
}

#[track_caller]
fn refuse(name: &str, text: impl AsRef<[u8]>, reason: &str) {
    let said = read_as(name, text).unwrap_err();
    assert!(said.contains(reason), "{said}");
}

#[test]
fn an_arc_list_may_be_parted_by_any_white_space() {
    check("A\tB\nA C\r\n  B \t C  \nC   A\n", "A B C", "A>B A>C B>C C>A");
}

#[test]
fn lone_names_are_nodes_and_remarks_are_none() {
    check("# from to\n\nB\nA\tB\n  # more\nC\n", "B A C", "A>B");
    check("", "", "");
    check("7\n", "7", "");
    check("\u{feff}A B", "A B", "A>B");
}

#[test]
fn several_arcs_are_one_and_a_self_loop_stays() {
    check("A A\nA B\nA B\nA\tB\n", "A B", "A>A A>B");
}

#[test]
fn names_around_a_tab_may_hold_blanks() {
    let (names, arcs) = read_as("x", "big cat\tcar\ncar\tbig cat\n").unwrap();
    assert_eq!((names.as_str(), arcs.as_str()), ("big cat car", "big cat>car car>big cat"));
}

#[test]
fn a_heading_is_words_before_numbers() {
    check("start end\n1 2\n2 1\n", "1 2", "1>2 2>1");
    check("start end\nend start\n", "start end", "start>end end>start");
    check("start end\n", "start end", "start>end");
    check("a b\n1\n1 2\n", "a b 1 2", "a>b 1>2");
}

#[test]
fn lines_that_are_no_arcs_are_named_by_their_number() {
    refuse("x", "A B\n# remark\nA B C\n", "cannot read line 3 of");
    refuse("x", "A B C\n", "more than two columns");
    refuse("x", "A\tB\tC\n", "more than two columns");
    refuse("x", b"A B\nA \xff\n", "it is not UTF-8 text");
    refuse("x", b"A B\n\0\0\n", "it is no text");
    let long = "x".repeat(lines::MAX_LINE + 1);
    refuse("x", format!("A B\n{long}"), "cannot read line 2 of");
    let longest = "x".repeat(lines::MAX_LINE);
    assert!(read_as("x", format!("{longest}\nA B")).is_ok());
}

#[test]
fn a_file_that_is_not_there_says_so() {
    for name in ["none", "none.graph", "none.gml", "none.properties"] {
        let error = Named::open(&Path::new("/nonexistent").join(name), None, &mut |_, _| ());
        assert!(matches!(error, Err(Error::File { .. })), "{name}");
    }
}

#[test]
fn names_come_from_a_file_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let (arcs, names) = (folder.path().join("arcs"), folder.path().join("names"));
    fs::write(&arcs, "start end\n1 2\n4 1\n").unwrap();
    fs::write(&names, "link url\n1 http://a/ \r\n2\thttp://b/\n3 http://c/\n").unwrap();
    let named = Named::open(&arcs, Some(&names), &mut |_, _| ()).unwrap();
    let expected = ("http://a/ http://b/ http://c/ 4", "http://a/>http://b/ 4>http://a/");
    assert_eq!(picture(&named), (expected.0.to_owned(), expected.1.to_owned()));
    assert_eq!(named.find("http://c/").unwrap(), Some(Node(2)));
    assert_eq!(named.find("1").unwrap(), None);
    fs::write(&names, "1\n").unwrap();
    let error = Named::open(&arcs, Some(&names), &mut |_, _| ()).unwrap_err().to_string();
    assert!(error.contains("line 1") && error.contains("one column"), "{error}");
}

#[test]
fn gml_is_read_as_far_as_it_is_a_graph() {
    let text = "Creator \"me\"\n# remark\ngraph [ directed 1 comment [ node [ id 9 ] ]
        node [ id 1 label \"a &amp; b\" graphics [ x 1.5 id 7 ] ]\n node [ id 2 ]
        edge [ source 1 target 2 value [ source 9 ] ] edge [ source 1 target 1 ] ]";
    let found = read_as("x.gml", text).unwrap();
    assert_eq!(found, ("a & b 2".to_owned(), "a & b>a & b a & b>2".to_owned()));
    let text = "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]";
    assert_eq!(read_as("x.GML", text).unwrap().1, "1>2 2>1");
}

#[test]
fn gml_that_is_broken_says_where() {
    refuse("x.gml", "graph [\n node [ label \"x\" ]\n]", "line 2 of");
    refuse("x.gml", "graph [ edge [ source 1 ] ]", "an edge has no target");
    refuse("x.gml", "graph [ edge [ source 1 target 2 ] ]", "no node has the id 1");
    refuse("x.gml", "graph [ node [ id 1 ] node [ id 1 ] ]", "two nodes have the id 1");
    refuse("x.gml", "graph [ node [ id 1 ]", "it ends inside of a list");
    refuse("x.gml", "graph [ node [ id 1 ] ] ]", "it closes a list that is not open");
    refuse("x.gml", "graph [ node [ id 1 label \"x ] ]", "a quotation mark is not closed");
    refuse("x.gml", "graph", "it ends behind a key");
    refuse("x.gml", "", "it has no `graph");
    refuse("x.gml", "a [ ".repeat(100_000), "more than 64 lists in each other");
}

#[test]
fn what_is_written_reads_back() {
    for text in ["", "A\tB\nB\tA\nA\tA\nlone\n", "big cat\tcar\n", "b\ta\na\tb\nc\n"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, text).unwrap();
        let named = Named::open(&path, None, &mut |_, _| ()).unwrap();
        let mut written = Vec::new();
        let mut told = Vec::new();
        named.write_arcs(&mut written, &mut |done, total| told.push((done, total))).unwrap();
        let num_nodes = u64::from(named.num_nodes());
        assert_eq!((told[0], told.last().copied()), ((0, num_nodes), Some((num_nodes, num_nodes))));
        fs::write(&path, &written).unwrap();
        let again = Named::open(&path, None, &mut |_, _| ()).unwrap();
        let sorted = |named: &Named| {
            let mut arcs: Vec<String> = picture(named).1.split(' ').map(str::to_owned).collect();
            arcs.sort();
            arcs
        };
        assert_eq!(sorted(&again), sorted(&named), "{text}");
        assert_eq!(again.links().num_nodes(), named.links().num_nodes());
    }
}

#[test]
fn names_that_an_arc_list_cannot_say_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.gml");
    for label in ["#tag", "two words"] {
        fs::write(&path, format!("graph [ node [ id 1 label \"{label}\" ] ]")).unwrap();
        let named = Named::open(&path, None, &mut |_, _| ()).unwrap();
        let error = named.write_arcs(&mut Vec::new(), &mut |_, _| ()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{label}");
    }
}

/// Base name of a graph that an earlier version wrote.
fn stored() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/generation-v2/graph/forward")
}

/// Its successor lists, as the webgraph crate read them.
const STORED: [&[usize]; 5] = [&[1, 2], &[0, 4], &[], &[1], &[]];

fn lists(named: &Named) -> Vec<Vec<usize>> {
    let links = named.links();
    links.nodes().map(|node| links.successors(node).map(Node::index).collect()).collect()
}

#[test]
fn bv_files_read_as_the_webgraph_crate_read_them() {
    let named = Named::open(&stored(), None, &mut |_, _| ()).unwrap();
    assert_eq!(lists(&named), STORED);
    assert_eq!(named.name(Node(1)).unwrap(), "1");
    assert_eq!(named.find("1").unwrap(), Some(Node(1)));
    assert_eq!(named.find("99999").unwrap(), None);
    let by_file = Named::open(&stored().with_extension("graph"), None, &mut |_, _| ()).unwrap();
    assert_eq!(by_file.links(), named.links());
    assert!(named.bits().unwrap() > 0);
}

#[test]
fn bv_nodes_are_called_by_a_file_of_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("urls");
    let num_nodes = STORED.len();
    let text: String = (0..num_nodes).map(|node| format!("http://x/{node}\n")).collect();
    fs::write(&path, &text).unwrap();
    let named = Named::open(&stored(), Some(&path), &mut |_, _| ()).unwrap();
    assert_eq!(named.find("http://x/2").unwrap(), Some(Node(2)));
    fs::write(&path, text + "http://more/\n").unwrap();
    let error = Named::open(&stored(), Some(&path), &mut |_, _| ()).unwrap_err().to_string();
    assert!(error.contains("names for"), "{error}");
}

#[test]
fn an_arc_list_may_be_called_graph() {
    assert_eq!(read_as("x.graph", "A B\n").unwrap().1, "A>B");
    refuse("x.graph", [0xff, 0x00, 0x80], "it is no arc list, and the file `.properties`");
    refuse("x.graph", "A B\nA B C\n", "cannot read line 2 of");
}

#[test]
fn a_generation_has_urls_for_names() {
    let folder = stored();
    let folder = folder.parent().unwrap();
    let mut told = Vec::new();
    let mut named = Named::generation(folder, &mut |done, total| told.push((done, total))).unwrap();
    let num_nodes = u64::from(named.num_nodes());
    assert_eq!(told, [(0, num_nodes), (num_nodes, num_nodes)]);
    let before = picture(&named);
    assert_eq!(Named::open(folder, None, &mut |_, _| ()).unwrap().links(), named.links());
    assert!(named.stored().is_some());
    let passed = |named: &Named| {
        let mut names = Vec::new();
        named.for_each_name(&mut |node, name| names.push((node, name.to_owned()))).unwrap();
        names
    };
    let names = passed(&named);
    told.clear();
    named.hold_names(&mut |done, total| told.push((done, total))).unwrap();
    assert_eq!(told, [(0, num_nodes), (num_nodes, num_nodes)]);
    assert_eq!(picture(&named), before);
    assert_eq!(passed(&named), names);
    assert_eq!(names.len(), named.links().num_nodes() as usize);
    for node in named.links().nodes() {
        let name = named.name(node).unwrap().into_owned();
        assert_eq!(named.find(&name).unwrap(), Some(node), "{name}");
        assert_eq!(named.find(&name.to_uppercase().to_lowercase()).unwrap(), Some(node));
    }
    assert_eq!(named.find("no address").unwrap(), None);
    assert!(matches!(named.name(Node(u32::MAX)), Err(Error::UnknownNode { .. })));
    let error = Named::open(folder.parent().unwrap(), None, &mut |_, _| ()).unwrap_err();
    assert!(error.to_string().contains("no generation of a graph"), "{error}");
}

/// Lays out a BVGraph and reads it.
fn open_bv(graph: &[u8], properties: &str) -> Result<Named, Error> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.graph"), graph).unwrap();
    fs::write(folder.path().join("x.properties"), properties).unwrap();
    Named::open(&folder.path().join("x.graph"), None, &mut |_, _| ())
}

#[test]
fn a_bv_file_cut_anywhere_is_an_error() {
    let graph = fs::read(stored().with_extension("graph")).unwrap();
    let properties = fs::read_to_string(stored().with_extension("properties")).unwrap();
    let whole = open_bv(&graph, &properties).unwrap();
    let used = usize::try_from(whole.bits().unwrap().div_ceil(8)).unwrap();
    for len in 0..used {
        let error = open_bv(&graph[..len], &properties).unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{error}");
    }
    // What the writer has filled up is not missed.
    assert_eq!(open_bv(&graph[..used], &properties).unwrap().links(), whole.links());
    let longer = [graph, vec![0; 9]].concat();
    assert!(matches!(open_bv(&longer, &properties), Err(Error::Damaged { .. })));
}

#[test]
fn flipped_bits_of_a_bv_file_are_an_error_or_another_graph() {
    let graph = fs::read(stored().with_extension("graph")).unwrap();
    let properties = fs::read_to_string(stored().with_extension("properties")).unwrap();
    for bit in 0..graph.len() * 8 {
        let mut flipped = graph.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        drop(open_bv(&flipped, &properties));
    }
}

#[test]
fn properties_that_lie_are_refused() {
    let class = "graphclass=it.unimi.dsi.webgraph.BVGraph";
    for (properties, reason) in [
        ("", "not a BVGraph"),
        ("graphclass=it.unimi.dsi.webgraph.EFGraph", "not a BVGraph"),
        (&format!("{class}\n"), "does not say `nodes`"),
        (&format!("{class}\nnodes=x\narcs=1"), "its `nodes` is `x`"),
        (&format!("{class}\nnodes=99999999999\narcs=1"), "too many nodes"),
        (&format!("{class}\nnodes=1000000\narcs=1"), "too short for its number of nodes"),
        (&format!("{class}\nnodes=8\narcs=18446744073709551615"), "does not hold the links"),
        (&format!("{class}\nnodes=8\narcs=0\nwindowsize=9999999"), "`windowsize` is above"),
        (&format!("{class}\nnodes=8\narcs=0\nzetak=0"), "`zetak` is not between"),
        (&format!("{class}\nnodes=8\narcs=0\ncompressionflags=BLOCKS_PI"), "`BLOCKS_PI`"),
        (&format!("{class}\nnodes=8\narcs=0\nendianness=little"), "big-endian"),
    ] {
        // Eight empty lists.
        let error = open_bv(&[0xff], properties).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let named = open_bv(&[0xff], &format!("{class}\nnodes=8\narcs=0")).unwrap();
    assert_eq!((named.links().num_nodes(), named.links().num_arcs()), (8, 0));
    let named = open_bv(&[], &format!("{class}\nnodes=0\narcs=0")).unwrap();
    assert_eq!(named.links().num_nodes(), 0);
}

proptest! {
    #[test]
    fn no_bytes_are_too_bad(bytes in prop::collection::vec(any::<u8>(), 0..200), nodes in 0..400u32) {
        let class = "graphclass=it.unimi.dsi.webgraph.BVGraph";
        let properties = format!("{class}\nnodes={nodes}\narcs=18446744073709551615");
        prop_assert!(nodes == 0 || open_bv(&bytes, &properties).is_err());
        drop(read_as("x", &bytes));
        drop(read_as("x.gml", &bytes));
    }
}
