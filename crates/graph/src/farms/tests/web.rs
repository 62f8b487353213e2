//! Made-up webs: honest sites, what looks like spam and is none, and spam.

use std::collections::BTreeSet;

use crate::farms::{Hosts, SpamOptions, SpamReport, find_spam};
use crate::{Links, Node};

/// A web as it is made up.
#[derive(Default)]
pub(super) struct Web {
    arcs: Vec<(Node, Node)>,
    host_of: Vec<u32>,
    owner_of: Vec<u32>,
    num_owners: u32,
    seed: u64,
    /// What ought to be named.
    pub(super) spam: BTreeSet<Node>,
    /// Pages that stand for the rest of the web.
    pub(super) honest: Vec<Node>,
}

impl Web {
    /// A web of at least `num_pages` honest pages.
    pub(super) fn honest(num_pages: usize, seed: u64) -> Self {
        let mut web = Self { seed, ..Self::default() };
        while web.honest.len() < num_pages {
            web.honest_site();
        }
        web
    }

    pub(super) fn owner(&mut self) -> u32 {
        self.num_owners += 1;
        self.num_owners - 1
    }

    pub(super) fn host(&mut self, owner: u32) -> u32 {
        self.owner_of.push(owner);
        u32::try_from(self.owner_of.len() - 1).unwrap()
    }

    /// A host of an owner of its own.
    pub(super) fn new_host(&mut self) -> u32 {
        let owner = self.owner();
        self.host(owner)
    }

    pub(super) fn page(&mut self, host: u32) -> Node {
        self.host_of.push(host);
        Node(u32::try_from(self.host_of.len() - 1).unwrap())
    }

    pub(super) fn pages(&mut self, host: u32, number: usize) -> Vec<Node> {
        (0..number).map(|_| self.page(host)).collect()
    }

    pub(super) fn link(&mut self, from: Node, to: Node) {
        self.arcs.push((from, to));
    }

    /// A number below `limit` that looks random; the same ones for the same seed.
    pub(super) fn random(&mut self, limit: usize) -> usize {
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.seed ^ self.seed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ mixed >> 31) % limit.max(1) as u64).unwrap()
    }

    /// A page of the rest of the web, well-linked ones more often.
    pub(super) fn some_honest(&mut self) -> Option<Node> {
        if self.honest.is_empty() {
            return None;
        }
        let place = self.random(self.honest.len());
        let place = self.random(place + 1);
        Some(self.honest[place])
    }

    /// A site of 1 to 60 pages: a home page with a menu, pages that link to each other, some
    /// links to the rest of the web, some dead ends, and a few links from elsewhere.
    fn honest_site(&mut self) {
        let host = self.new_host();
        let size = 1 + self.random(60);
        let pages = self.pages(host, size);
        let home = pages[0];
        for page in &pages[1..] {
            self.link(home, *page);
            if self.random(20) == 0 {
                continue;
            }
            self.link(*page, home);
            for _ in 0..self.random(6) {
                let other = pages[self.random(size)];
                self.link(*page, other);
            }
            for _ in 0..[0, 0, 0, 1, 1, 3][self.random(6)] {
                if let Some(other) = self.some_honest() {
                    self.link(*page, other);
                }
            }
        }
        for _ in 0..self.random(8) {
            if let Some(other) = self.some_honest() {
                self.link(other, home);
            }
            if let Some(other) = self.some_honest() {
                self.link(home, other);
            }
        }
        self.honest.extend(pages);
    }

    /// A farm as in the books: `num_supporters` pages on `num_hosts` hosts of one owner, linked
    /// to and fro with a target on a host of its own, which `hijacked` honest pages link to.
    pub(super) fn farm(
        &mut self,
        num_supporters: usize,
        num_hosts: usize,
        hijacked: usize,
    ) -> Node {
        let (owner, host) = (self.owner(), self.new_host());
        let target = self.page(host);
        let hosts: Vec<u32> = (0..num_hosts).map(|_| self.host(owner)).collect();
        self.spam.insert(target);
        for number in 0..num_supporters {
            let page = self.page(hosts[number % num_hosts]);
            self.link(target, page);
            self.link(page, target);
            self.spam.insert(page);
        }
        self.hijack(target, hijacked);
        target
    }

    /// A farm whose pages have a home page and a next page too, half of them on the target's
    /// own host; the target links only to its own host and to the other's home page.
    pub(super) fn shop_farm(&mut self, num_supporters: usize, hijacked: usize) -> Node {
        let (own, other) = (self.new_host(), self.new_host());
        let (target, hub) = (self.page(own), self.page(other));
        self.link(target, hub);
        self.link(hub, target);
        for (host, home) in [(own, target), (other, hub)] {
            let offers = self.pages(host, num_supporters / 2);
            for (number, offer) in offers.iter().enumerate() {
                self.link(home, *offer);
                self.link(*offer, home);
                self.link(*offer, target);
                self.link(*offer, offers[(number + 1) % offers.len()]);
                self.spam.insert(*offer);
            }
        }
        self.spam.extend([target, hub]);
        self.hijack(target, hijacked);
        target
    }

    /// A farm whose pages hang together in a chain over many hosts of a few owners; the target
    /// links to the first of each host only.
    pub(super) fn chain_farm(
        &mut self,
        num_hosts: usize,
        per_host: usize,
        hijacked: usize,
    ) -> Node {
        let host = self.new_host();
        let target = self.page(host);
        let owners: Vec<u32> = (0..3).map(|_| self.owner()).collect();
        for number in 0..num_hosts {
            let host = self.host(owners[number % 3]);
            let pages = self.pages(host, per_host);
            self.link(target, pages[0]);
            for (place, page) in pages.iter().enumerate() {
                self.link(*page, target);
                self.link(*page, pages[(place + 1) % per_host]);
            }
            self.spam.extend(pages);
        }
        self.spam.insert(target);
        self.hijack(target, hijacked);
        target
    }

    /// Gives every `step`th page that ought to be named a link to an honest page.
    pub(super) fn camouflage(&mut self, step: usize) {
        for page in self.spam.clone().into_iter().step_by(step) {
            if let Some(honest) = self.some_honest() {
                self.link(page, honest);
            }
        }
    }

    /// Links from honest pages: comments and guest books.
    fn hijack(&mut self, target: Node, number: usize) {
        for _ in 0..number {
            if let Some(page) = self.some_honest() {
                self.link(page, target);
            }
        }
    }

    pub(super) fn num_pages(&self) -> usize {
        self.host_of.len()
    }

    pub(super) fn links(&self) -> Links {
        let num_nodes = u32::try_from(self.host_of.len()).unwrap();
        Links::from_arcs(num_nodes, self.arcs.iter().copied()).unwrap()
    }

    pub(super) fn hosts(&self) -> Hosts<'_> {
        Hosts::new(&self.host_of, &self.owner_of).unwrap()
    }

    pub(super) fn find(&self) -> SpamReport {
        find_spam(&self.links(), &self.hosts(), &SpamOptions::default()).unwrap()
    }
}
