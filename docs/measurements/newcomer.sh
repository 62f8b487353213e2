#!/usr/bin/env bash
# How long a newcomer waits: `lookfar init && lookfar up` with the 65 pages of islands.lookfar, a
# host of the made-up web on this machine. Prints seconds from the start of `up`.
#
#   cargo build --release --bins && docs/measurements/newcomer.sh [FOLDER OF THE PROGRAMS]
set -euo pipefail
programs=${1:-target/release}
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$folder"' EXIT

"$programs/testweb" demo --port 7480 --dns-port 7453 >/dev/null 2>&1 &
"$programs/lookfar" --dir "$folder/c" init --seed http://islands.lookfar/ --contact me@example.org \
  --yes --offline >/dev/null
# What a site on the Internet does not need: it is found by the DNS of the system, at port 80.
sed -i 's|^\[crawl\]$|&\naddresses = "loopback"\ndns_servers = ["127.0.0.1:7453"]\ninstead_of_port_80 = 7480|' \
  "$folder/c/lookfar.toml"

begun=$(date +%s.%N)
"$programs/lookfar" --dir "$folder/c" up --port 7799 >/dev/null 2>&1 &
page=http://127.0.0.1:7799

# Waits until an answer fits, and says after how long.
after() {
  until curl -sf "$page/$2" 2>/dev/null | grep -qE "$3"; do sleep 0.05; done
  printf '%8.2f s  %s\n' "$(echo "$(date +%s.%N) - $begun" | bc)" "$1"
}
after 'the search page is there' '' '<form'
after 'the first answers' 'api/v1/search?q=island' '"url":'
after 'suggestions while typing' 'api/v1/suggest?q=isl' '"suggestions":\["'
after 'all 65 pages can be found' 'api/v1/status' '"indexed": *(6[5-9]|[7-9][0-9])'
