//! Which folders of one host are web sites of their own.
//!
//! Looked at are folders of the first and second level (`/~ann/`, `/projects/x/`). A user's folder
//! (`~`) is a site by convention. Any other is one if it looks like one from all sides:
//!
//! - it has a home page that was fetched, and at least [`MIN_PAGES`] pages, but not most of the
//!   host's: a host whose pages all lie in one folder is one site;
//! - links stay within: a quarter of those that begin in it leave it for elsewhere on the host
//!   at most, and so for the pages they stand on. A section of a site fails here, for it carries
//!   the site's navigation;
//! - it is entered by the front door: links from elsewhere on the host that point past its home
//!   page are a quarter of the links within at most.
//!
//! Where several folders of one folder are sites (`/homes/ann/`, `/homes/bob/`), and at least half
//! of those that are large enough to tell, it holds people or projects: its small folders that
//! have a home page are sites, too.
//!
//! Two levels are enough: folders of folders are how one site is laid out.

use std::collections::HashMap;
use std::ops::Range;

use crate::nodes::Nodes;
use crate::{Error, Node};

/// Fewer pages say nothing about where links go.
const MIN_PAGES: u32 = 3;
/// Fewer sites in a folder do not make sites of its small folders.
const MIN_SIBLINGS: u32 = 3;
/// Links and pages that may cross the border, one in so many.
const CROSSING: u64 = 4;
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
    pub(super) fn read(names: &Nodes, nodes: Range<u32>) -> Result<Self, Error> {
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
        let is_home =
            !rest.contains('/') && (rest.is_empty() || HOME_NAMES.contains(&stem.as_str()));
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
    pub(super) fn count(&mut self, node: Node, successors: &[usize]) {
        let Some(from) = self.folder(node.index()) else { return };
        let own: Vec<u32> = chain(&self.list, from).collect();
        let (mut is_linking, mut leaves) = (false, [false; 2]);
        for to in successors {
            let Some(target) = self.folder(*to) else { continue };
            is_linking = true;
            for (place, number) in own.iter().enumerate() {
                let is_inside = chain(&self.list, target).any(|other| other == *number);
                let folder = &mut self.list[*number as usize];
                folder.inside += u64::from(is_inside);
                folder.leaving += u64::from(!is_inside);
                leaves[place] |= !is_inside;
            }
            for number in chain(&self.list, target).collect::<Vec<_>>() {
                let folder = &mut self.list[number as usize];
                let is_home = folder.home.is_some_and(|home| home.index() == *to);
                folder.deep += u64::from(!is_home && !own.contains(&number));
            }
        }
        for (place, number) in own.iter().enumerate() {
            let folder = &mut self.list[*number as usize];
            folder.num_linking += u32::from(is_linking);
            folder.num_leaving += u32::from(leaves[place]);
        }
    }

    /// Calls `visit` with each node that belongs to a folder that is a site, and the folder's
    /// path. Linear in the host's nodes.
    pub(super) fn for_each_split(&self, mut visit: impl FnMut(Node, u32, &str)) {
        let splits = self.sites();
        for (node, folder) in self.nodes.clone().zip(&self.folder_of) {
            if let Some(site) = chain(&self.list, *folder).find(|number| splits[*number as usize]) {
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
            let is_small = folder.is_home_fetched && folder.num_pages < MIN_PAGES;
            *is_site |= is_small && sites >= MIN_SIBLINGS && sites * 2 >= all;
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
    fn folder(&self, node: usize) -> Option<u32> {
        let place = node.checked_sub(self.nodes.start as usize)?;
        self.folder_of.get(place).copied()
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

/// Returns a folder and those it lies in, but not the host itself: at most two.
fn chain(list: &[Folder], folder: u32) -> impl Iterator<Item = u32> + use<> {
    let parent = list[folder as usize].parent;
    [folder, parent].into_iter().filter(|number| *number != 0)
}

/// Returns the path in a SURT key, without the query.
fn path_of(key: &[u8]) -> &str {
    let text = std::str::from_utf8(key).unwrap_or_default();
    let path = text.split_once(')').map_or("/", |(_, path)| path);
    path.split_once('?').map_or(path, |(path, _)| path)
}

/// Returns the folders of the first two levels that a path lies in, the outer first.
///
/// A user's folder has no parts.
fn folders_of(path: &str) -> impl Iterator<Item = &str> {
    let first = path.get(1..).and_then(|rest| rest.find('/')).map(|place| place + 2);
    let second = first
        .filter(|first| !is_users(&path[..*first]))
        .and_then(|first| Some(first + path[first..].find('/')? + 1));
    [first, second].into_iter().flatten().map(|end| &path[..end])
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
    fn a_path_lies_in_folders_of_two_levels() {
        for (path, expected) in [
            ("/", vec![]),
            ("/a", vec![]),
            ("/a/", vec!["/a/"]),
            ("/a/b/c/d.html", vec!["/a/", "/a/b/"]),
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
