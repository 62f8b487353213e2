//! Ports that a URL may name (TCP-07).

/// Returns whether web servers are found at a port.
///
/// Refused are the ports that browsers refuse, because what listens there could take a request
/// for a command in its own language, and those of stores and of machine control. Everything else
/// is the web: real sites are found at 70, 800 and 8000.
pub(crate) fn is_web_port(port: u16) -> bool {
    OTHER_SERVICES.binary_search(&port).is_err()
}

/// The "bad ports" of the Fetch standard, plus databases, queues and control ports; sorted.
#[rustfmt::skip]
const OTHER_SERVICES: &[u16] = &[
    // from echo to IMAP over TLS: the Fetch standard
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
    102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427,
    // 445 is file sharing, 873 is rsync
    445, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873,
    989, 990, 993, 995,
    // 1433 and 1521 are databases
    1433, 1521, 1719, 1720, 1723,
    // 2181 is ZooKeeper, 2375 and 2376 Docker, 2379 and 2380 etcd
    2049, 2181, 2375, 2376, 2379, 2380,
    // 3306 is MySQL, 3389 remote desktop
    3306, 3389, 3659, 4045, 4190, 4222,
    // 5432 is PostgreSQL, 5672 AMQP, 5900 VNC
    5060, 5061, 5432, 5672, 5900,
    // 6379 is Redis
    6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
    // 9042 is Cassandra, 9092 Kafka, 9200 and 9300 Elasticsearch
    9042, 9092, 9200, 9300,
    // 10250 is the kubelet, 11211 memcached, 27017 and its neighbours MongoDB
    10080, 10250, 11211, 27017, 27018, 27019,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(OTHER_SERVICES.is_sorted());
    }

    #[test]
    fn tcp_07_ports_of_other_services_are_refused() {
        for port in [0, 21, 22, 23, 25, 53, 110, 143, 445, 3306, 5432, 6379, 9200, 11211, 27017] {
            assert!(!is_web_port(port), "{port}");
        }
        for port in [70, 80, 81, 443, 800, 3000, 4321, 6060, 8000, 8080, 8443, 9999, 65535] {
            assert!(is_web_port(port), "{port}");
        }
    }
}
