#!/bin/sh
# How large logs fare: makes one of 200 MB (or the given size) and one of some 100,000 calls, reads and
# executes the large one without a screen, and opens both in a terminal.
# usage: scripts/big_log.sh [MEGABYTES]
set -e
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cargo build --quiet --release --bins --example big_log --example measure --example first_frame
target/release/examples/big_log --mb "${1:-200}" "$folder/big.jsonl"
target/release/examples/big_log --mb 40 "$folder/long.jsonl"
target/release/examples/measure "$folder/big.jsonl"
target/release/examples/first_frame "$folder/long.jsonl" "$folder/big.jsonl"
