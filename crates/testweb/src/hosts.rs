//! Who lives where: host names, their sites and their addresses.
//!
//! Addresses are given out in the order of the sites, from 127.1.0.1 upwards, so the same list
//! of sites always has the same addresses. Hosts of one group share one.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use crate::{Error, Site};

/// The top-level domain of hosts we make up.
pub(crate) const TLD: &str = "lookfar";

/// Every host of one web.
pub(crate) struct Hosts {
    places: Vec<Place>,
    by_name: HashMap<Arc<str>, usize>,
    /// The first site on each address, for requests that name no host.
    by_address: HashMap<Ipv4Addr, usize>,
    /// Names that resolve although no site answers to them.
    others: BTreeMap<String, Vec<IpAddr>>,
}

/// One host: its name, site and address.
pub(crate) struct Place {
    pub(crate) name: Arc<str>,
    pub(crate) site: Box<dyn Site>,
    pub(crate) address: Ipv4Addr,
}

impl Hosts {
    /// Gives every site an address. `groups` maps a host to the group it shares one with.
    pub(crate) fn settle(
        sites: Vec<Box<dyn Site>>,
        groups: &HashMap<String, String>,
        others: BTreeMap<String, Vec<IpAddr>>,
    ) -> Result<Self, Error> {
        let taken: HashSet<Ipv4Addr> =
            sites.iter().filter_map(|site| site.host().parse().ok()).collect();
        let mut free = (0_u32..).map(nth_address).filter(|address| !taken.contains(address));
        let mut address_of_group: HashMap<String, Ipv4Addr> = HashMap::new();
        let mut hosts = Self {
            places: Vec::new(),
            by_name: HashMap::new(),
            by_address: HashMap::new(),
            others,
        };
        for site in sites {
            let name: Arc<str> = site.host().to_ascii_lowercase().into();
            let group = groups.get(&*name).map(String::as_str).or(site.address_group());
            let known = group.and_then(|group| address_of_group.get(group)).copied();
            let address = match (own_address(&name)?, known) {
                (Some(address), _) | (None, Some(address)) => address,
                (None, None) => free.next().expect("127/8 has room for 16 million hosts"),
            };
            if let Some(group) = group {
                address_of_group.entry(group.to_owned()).or_insert(address);
            }
            hosts.add(Place { name, site, address })?;
        }
        Ok(hosts)
    }

    fn add(&mut self, place: Place) -> Result<(), Error> {
        let index = self.places.len();
        if self.by_name.insert(Arc::clone(&place.name), index).is_some() {
            return Err(Error::HostTwice { host: place.name.to_string() });
        }
        self.by_address.entry(place.address).or_insert(index);
        self.places.push(place);
        Ok(())
    }

    /// Returns all hosts in the order they were given.
    pub(crate) fn places(&self) -> &[Place] {
        &self.places
    }

    /// Returns the host of a name in lower case, also through a site for `*.name`.
    pub(crate) fn by_name(&self, name: &str) -> Option<&Place> {
        if let Some(index) = self.by_name.get(name) {
            return self.places.get(*index);
        }
        let mut rest = name;
        while let Some((_, parent)) = rest.split_once('.') {
            if let Some(index) = self.by_name.get(format!("*.{parent}").as_str()) {
                return self.places.get(*index);
            }
            rest = parent;
        }
        None
    }

    /// Returns the first host that was settled on an address.
    pub(crate) fn by_address(&self, address: Ipv4Addr) -> Option<&Place> {
        self.by_address.get(&address).and_then(|index| self.places.get(*index))
    }

    /// Returns the host that `name.localhost` stands for: `name` itself or `name.lookfar`.
    pub(crate) fn by_alias(&self, name: &str) -> Option<&Place> {
        let stem = name.strip_suffix(".localhost")?;
        self.by_name(stem).or_else(|| self.by_name(&format!("{stem}.{TLD}")))
    }

    /// Returns the addresses of a name in lower case; `None` when there is no such name.
    pub(crate) fn resolve(&self, name: &str) -> Option<Vec<IpAddr>> {
        if let Some(addresses) = self.others.get(name) {
            return Some(addresses.clone());
        }
        self.by_name(name).map(|place| vec![IpAddr::V4(place.address)])
    }

    /// Returns whether some known name lies below `name`, so that the name exists though
    /// nothing is there.
    pub(crate) fn has_below(&self, name: &str) -> bool {
        let below = |known: &str| {
            known.strip_suffix(name).is_some_and(|front| front.is_empty() || front.ends_with('.'))
        };
        self.places.iter().any(|place| below(&place.name)) || self.others.keys().any(|n| below(n))
    }
}

/// Returns the address a name is, if it is one, after checking that the name is usable.
fn own_address(name: &str) -> Result<Option<Ipv4Addr>, Error> {
    if let Ok(address) = name.parse::<Ipv4Addr>() {
        return match address.is_loopback() {
            true => Ok(Some(address)),
            false => Err(Error::NotLoopback { address }),
        };
    }
    let labels = name.strip_prefix("*.").unwrap_or(name).split('.');
    let fine = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    if name.len() > 253 || !labels.into_iter().all(fine) {
        return Err(Error::HostName { host: name.to_owned() });
    }
    Ok(None)
}

/// Returns the n-th address: 127.1.0.1 … 127.1.0.250, 127.1.1.1 and so on.
fn nth_address(n: u32) -> Ipv4Addr {
    let [last, middle, first] = [n % 250 + 1, n / 250 % 250, n / 62_500 + 1];
    // Past 254 × 62,500 hosts the first number would overflow; the web stops growing there.
    let byte = |number: u32| u8::try_from(number).unwrap_or(254);
    Ipv4Addr::new(127, byte(first), byte(middle), byte(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Request};

    struct Named(&'static str, Option<&'static str>);

    impl Site for Named {
        fn host(&self) -> &str {
            self.0
        }
        fn answer(&self, _request: &Request<'_>) -> Answer {
            Answer::html("")
        }
        fn address_group(&self) -> Option<&str> {
            self.1
        }
    }

    fn settle(names: &[Named]) -> Result<Hosts, Error> {
        let sites = names.iter().map(|n| Box::new(Named(n.0, n.1)) as Box<dyn Site>).collect();
        Hosts::settle(sites, &HashMap::new(), BTreeMap::new())
    }

    #[test]
    fn addresses_are_distinct_unless_hosts_share_and_skip_those_taken() {
        let hosts = settle(&[
            Named("a.lookfar", None),
            Named("127.1.0.2", None),
            Named("b.lookfar", Some("farm")),
            Named("c.lookfar", Some("farm")),
            Named("d.lookfar", None),
        ])
        .unwrap();
        let addresses: Vec<String> =
            hosts.places().iter().map(|place| place.address.to_string()).collect();
        assert_eq!(addresses, ["127.1.0.1", "127.1.0.2", "127.1.0.3", "127.1.0.3", "127.1.0.4"]);
        assert_eq!(&*hosts.by_address(Ipv4Addr::new(127, 1, 0, 3)).unwrap().name, "b.lookfar");
    }

    #[test]
    fn addresses_of_many_hosts_stay_distinct() {
        let distinct: HashSet<Ipv4Addr> = (0..200_000).map(nth_address).collect();
        assert_eq!(distinct.len(), 200_000);
        assert!(distinct.iter().all(|a| a.is_loopback() && a.octets()[3] != 0));
    }

    #[test]
    fn bad_names_are_refused() {
        let refused = |name| settle(&[Named(name, None)]).err().map(|error| error.to_string());
        assert_eq!(refused("bad name.lookfar").unwrap(), "`bad name.lookfar` is not a host name");
        assert!(refused("a..lookfar").is_some());
        assert!(refused("10.0.0.1").unwrap().contains("not a loopback address"));
        assert!(refused("fine-name.lookfar").is_none());
        let twice = settle(&[Named("a.lookfar", None), Named("A.lookfar", None)]);
        assert_eq!(twice.err().unwrap().to_string(), "two sites are called `a.lookfar`");
    }

    #[test]
    fn wildcards_and_browser_names_find_their_site() {
        let hosts = settle(&[Named("*.trap.lookfar", None), Named("cats.lookfar", None)]).unwrap();
        assert_eq!(&*hosts.by_name("x.y.trap.lookfar").unwrap().name, "*.trap.lookfar");
        assert!(hosts.by_name("trap.lookfar").is_none());
        assert_eq!(&*hosts.by_alias("cats.localhost").unwrap().name, "cats.lookfar");
        assert_eq!(&*hosts.by_alias("cats.lookfar.localhost").unwrap().name, "cats.lookfar");
        assert!(hosts.by_alias("dogs.localhost").is_none());
    }
}
