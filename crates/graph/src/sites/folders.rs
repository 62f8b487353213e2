//! Which folders of one host are web sites of their own.
//!
//! Looked at are folders of the first three levels (`/~ann/`, `/projects/x/`). A user's folder (`~`)
//! is a site by convention. Any other is one if it looks like one from all sides:
//!
//! - it has a home page that was fetched, and at least [`MIN_PAGES`] pages, but not most of the
//!   host's: a host whose pages all lie in one folder is one site;
//! - links stay within: a third of those that begin in it leave it for elsewhere on the host at
//!   most, and so for the pages they stand on. A section of a site fails here, for it carries the
//!   site's navigation;
//! - it is entered by the front door: links from elsewhere on the host that point past its home
//!   page are a third of the links within at most.
//!
//! People's pages are small and link to each other, so that many fail. Where several folders of one
//! folder are sites nevertheless (`/homes/ann/`, `/homes/bob/`), and a fifth of those that are large
//! enough to tell, it holds people or projects, and all its folders that have a home page are sites.
//! The figures are from the university web of 1997 that the tests read, where they find the folders
//! that hold people, and hardly a section.
//!
//! Folders of a site are how it is laid out, and no sites.

use std::collections::HashMap;
use std::ops::Range;

use crate::nodes::Cursor;
use crate::{Error, Node};

/// How deep folders are looked at.
const LEVELS: usize = 3;
/// Fewer pages say nothing about where links go.
const MIN_PAGES: u32 = 3;
/// Sites in a folder that make sites of the other folders in it: so many, and one in so many.
const MIN_SIBLINGS: u32 = 3;
const SIBLINGS: u32 = 5;
/// Links and pages that may cross the border, one in so many.
const CROSSING: u64 = 3;
/// File names, without their extension, that servers show for a folder.
const HOME_NAMES: [&str; 6] = ["index", "default", "home", "homepage", "welcome", "main"];

/// The folders of one host.
#[derive(Debug)]
pub(super) struct Folders {
    nodes: Range<u32>,
    /// Folder of each node of the host.
    folder_of: Vec<u32>,
    /// The host itself comes first.
    list: Vec<Folder>,
}

#[derive(Debug, Default)]
struct Folder {
    path: String,
    /// The folder it lies in; that of the host is its own.
    parent: u32,
    home: Option<Node>,
    is_home_fetched: bool,
    num_pages: u32,
    /// Pages in it that link to a page of the host, and those of them that link out of it.
    num_linking: u32,
    num_leaving: u32,
    /// Links of the host within, out of it, and into it past its home page.
    inside: u64,
    leaving: u64,
    deep: u64,
}

impl Folders {
    /// Reads the folders of the host with these nodes. Linear in them; memory too.
    pub(super) fn read(names: &mut Cursor<'_>, nodes: Range<u32>) -> Result<Self, Error> {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut list = vec![Folder { path: "/".to_owned(), ..Folder::default() }];
        names.for_each(nodes.clone(), |_, entry| {
            let path = path_of(&entry.key);
            let mut parent = 0;
            for folder in folders_of(path) {
                parent = number_of(folder, parent, &mut numbers, &mut list);
            }
            if parent == 0 && is_users(path) {
                number_of(&format!("{path}/"), 0, &mut numbers, &mut list);
            }
            Ok(())
        })?;
        let folder_of = Vec::with_capacity(nodes.len());
        let mut folders = Self { nodes: nodes.clone(), folder_of, list };
        names.for_each(nodes, |node, entry| {
            folders.place(node, path_of(&entry.key), entry.page.is_some(), &numbers);
            Ok(())
        })?;
        Ok(folders)
    }

    /// Puts a node into its folder, and sees whether it is its home page.
    fn place(&mut self, node: Node, path: &str, is_page: bool, numbers: &HashMap<String, u32>) {
        let mut folder = folders_of(path).last().map_or(0, |folder| numbers[folder]);
        // `/x` is the folder `/x/` as people link to it.
        if let Some(named) = numbers.get(&format!("{path}/")) {
            folder = *named;
        }
        self.folder_of.push(folder);
        let own = &self.list[folder as usize].path;
        let rest = path.strip_prefix(own.as_str()).unwrap_or_default();
        let stem = rest.split('.').next().unwrap_or_default().to_ascii_lowercase();
        // `/people/ann/ann.html` is a home page, too.
        let is_namesake = own
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .is_some_and(|name| !name.is_empty() && name.eq_ignore_ascii_case(&stem));
        let is_home = !rest.contains('/')
            && (rest.is_empty() || is_namesake || HOME_NAMES.contains(&stem.as_str()));
        let own = &mut self.list[folder as usize];
        if is_home && (own.home.is_none() || is_page && !own.is_home_fetched) {
            (own.home, own.is_home_fetched) = (Some(node), is_page);
        }
        if is_page {
            for number in chain(&self.list, folder) {
                self.list[number as usize].num_pages += 1;
            }
            self.list[0].num_pages += 1;
        }
    }

    /// Counts the links of one page of the host. O(links).
    pub(super) fn count(&mut self, node: Node, successors: &[u32]) {
        let Some(from) = self.folder(node.0) else { return };
        let own = chain(&self.list, from);
        let (mut is_linking, mut leaves) = (false, [false; LEVELS]);
        for to in successors {
            let Some(target) = self.folder(*to) else { continue };
            is_linking = true;
            let theirs = chain(&self.list, target);
            for (number, leaves) in own.clone().zip(&mut leaves) {
                let is_inside = theirs.clone().any(|other| other == number);
                let folder = &mut self.list[number as usize];
                folder.inside += u64::from(is_inside);
                folder.leaving += u64::from(!is_inside);
                *leaves |= !is_inside;
            }
            for number in theirs {
                let folder = &mut self.list[number as usize];
                let is_home = folder.home.is_some_and(|home| home.0 == *to);
                let is_inside = own.clone().any(|other| other == number);
                folder.deep += u64::from(!is_home && !is_inside);
            }
        }
        for (number, leaves) in own.zip(leaves) {
            let folder = &mut self.list[number as usize];
            folder.num_linking += u32::from(is_linking);
            folder.num_leaving += u32::from(leaves);
        }
    }

    /// Calls `visit` with each node that belongs to a folder that is a site, and the folder's
    /// path. Linear in the host's nodes.
    pub(super) fn for_each_split(&self, mut visit: impl FnMut(Node, u32, &str)) {
        let splits = self.sites();
        for (node, folder) in self.nodes.clone().zip(&self.folder_of) {
            let outermost = chain(&self.list, *folder).rfind(|number| splits[*number as usize]);
            if let Some(site) = outermost {
                visit(Node(node), site, &self.list[site as usize].path);
            }
        }
    }

    /// Returns for each folder whether it is a site.
    fn sites(&self) -> Vec<bool> {
        let mut splits: Vec<bool> = self.list.iter().map(|folder| self.is_site(folder)).collect();
        // Of each folder, the folders in it that could be judged, and the sites among them.
        let mut judged = vec![(0u32, 0u32); self.list.len()];
        for (folder, is_site) in self.list.iter().zip(&splits) {
            if folder.parent != 0 && folder.is_home_fetched && folder.num_pages >= MIN_PAGES {
                let (all, sites) = &mut judged[folder.parent as usize];
                *all += 1;
                *sites += u32::from(*is_site);
            }
        }
        for (folder, is_site) in self.list.iter().zip(&mut splits) {
            let (all, sites) = judged[folder.parent as usize];
            let is_among_sites = sites >= MIN_SIBLINGS && sites.saturating_mul(SIBLINGS) >= all;
            *is_site |= folder.is_home_fetched && is_among_sites;
        }
        splits
    }

    fn is_site(&self, folder: &Folder) -> bool {
        if is_users(&folder.path) {
            return true;
        }
        let few = |part: u64, whole: u64| part.saturating_mul(CROSSING) <= whole;
        folder.path != "/"
            && folder.is_home_fetched
            && folder.num_pages >= MIN_PAGES
            && folder.num_pages <= self.list[0].num_pages / 2
            && few(folder.leaving, folder.leaving + folder.inside)
            && few(folder.num_leaving.into(), folder.num_linking.into())
            && few(folder.deep, folder.inside)
            && folder.inside > 0
    }

    /// Returns the folder of a node of this host.
    fn folder(&self, node: u32) -> Option<u32> {
        let place = node.checked_sub(self.nodes.start)?;
        self.folder_of.get(place as usize).copied()
    }
}

/// Returns the number of a folder, a new one if it is the first time.
fn number_of(
    path: &str,
    parent: u32,
    numbers: &mut HashMap<String, u32>,
    list: &mut Vec<Folder>,
) -> u32 {
    if let Some(number) = numbers.get(path) {
        return *number;
    }
    let number = list.len() as u32;
    numbers.insert(path.to_owned(), number);
    list.push(Folder { path: path.to_owned(), parent, ..Folder::default() });
    number
}

/// Returns a folder and those it lies in, the innermost first, but not the host itself.
fn chain(list: &[Folder], folder: u32) -> impl DoubleEndedIterator<Item = u32> + Clone + use<> {
    let mut numbers = [0; LEVELS];
    let mut next = folder;
    for number in &mut numbers {
        *number = next;
        next = list[next as usize].parent;
    }
    numbers.into_iter().filter(|number| *number != 0)
}

/// Returns the path in a SURT key, without the query.
fn path_of(key: &[u8]) -> &str {
    let text = std::str::from_utf8(key).unwrap_or_default();
    let path = text.split_once(')').map_or("/", |(_, path)| path);
    path.split_once('?').map_or(path, |(path, _)| path)
}

/// Returns the folders of the first [`LEVELS`] levels that a path lies in, the outer first.
///
/// A user's folder has no parts.
pub(super) fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    let mut slashes = path.match_indices('/').skip(1).map(|(place, _)| place + 1);
    let first = slashes.next();
    let is_users = first.is_some_and(|first| is_users(&path[..first]));
    let deeper = if is_users { 0 } else { LEVELS - 1 };
    first.into_iter().chain(slashes.take(deeper)).map(|end| &path[..end])
}

fn is_users(path: &str) -> bool {
    let name = path.strip_prefix('/').unwrap_or_default();
    let rest = name.strip_prefix('~').or_else(|| name.strip_prefix("%7E"));
    rest.is_some_and(|rest| !rest.is_empty() && rest != "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_lies_in_folders_of_three_levels() {
        for (path, expected) in [
            ("/", vec![]),
            ("/a", vec![]),
            ("/a/", vec!["/a/"]),
            ("/a/b/c.html", vec!["/a/", "/a/b/"]),
            ("/a/b/c/d/e.html", vec!["/a/", "/a/b/", "/a/b/c/"]),
            ("/~ann/x/y.html", vec!["/~ann/"]),
            ("//a/b", vec!["//", "//a/"]),
            ("", vec![]),
        ] {
            assert_eq!(folders_of(path).collect::<Vec<_>>(), expected, "{path}");
        }
    }

    #[test]
    fn only_a_tilde_with_a_name_is_a_users_folder() {
        for (path, expected) in
            [("/~ann/", true), ("/%7Eann/", true), ("/~/", false), ("/ann/", false), ("/", false)]
        {
            assert_eq!(is_users(path), expected, "{path}");
        }
    }
}
