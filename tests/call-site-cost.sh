#!/bin/sh
# Prints what a call of the macros costs in a dev build: the time to build the generated conformance tests alone,
# divided by the number of calls in them.
set -eu
cd "$(dirname "$0")"
cargo test --quiet --package cteinsum-tests --test conformance --no-run
generated=$(ls -td "${CARGO_TARGET_DIR:-../target}"/debug/build/cteinsum-tests-*/out | head -n 1)
calls=$(cat "$generated"/static_ranks.rs "$generated"/dynamic_ranks.rs "$generated"/plain_calls.rs "$generated"/orders.rs |
    grep -c 'einsum!(')
touch tests/conformance.rs
rm -rf "${CARGO_TARGET_DIR:-../target}"/debug/incremental/conformance-*
start=$(date +%s%N)
cargo test --quiet --package cteinsum-tests --test conformance --no-run
end=$(date +%s%N)
echo "$calls calls, $(((end - start) / 1000000)) ms: $(((end - start) / 1000000 / calls)) ms a call"
