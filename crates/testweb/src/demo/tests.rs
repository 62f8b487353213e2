//! Walks the demo web without a network and checks what it promises.

use super::*;

/// Writes the web to a folder for reading: `DUMP=folder cargo test -p testweb dump`.
#[test]
fn dump() {
    let Ok(folder) = std::env::var("DUMP") else { return };
    let world = build(1);
    for host in world.hosts() {
        let mut all = String::new();
        for (path, resource) in host.resources() {
            all += &format!("=== {path} {:?} {}\n", resource.kind, resource.answer.body.len());
            all += &String::from_utf8_lossy(&resource.answer.body);
        }
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(format!("{folder}/{}", host.host()), all).unwrap();
    }
}
