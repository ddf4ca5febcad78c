#!/bin/sh
# How a large log fares: makes one of 200 MB (or the given size), opens and executes it.
# usage: scripts/big_log.sh [MEGABYTES]
set -e
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cargo build --quiet --release --example big_log --example measure
target/release/examples/big_log --mb "${1:-200}" "$folder/big.jsonl"
target/release/examples/measure "$folder/big.jsonl"
