"""Plans one network with opt_einsum and cotengra: see python.rs for what is read and printed."""

import os
import signal
import sys
import time
import warnings

warnings.simplefilter("ignore")

inputs, output, sizes = [], (), []
for line in sys.stdin.read().splitlines():
    numbers = tuple(int(n) for n in line.lstrip("->=").split(",") if n)
    if line.startswith("->"):
        output = numbers
    elif line.startswith("="):
        sizes = numbers
    else:
        inputs.append(numbers)
dims = dict(enumerate(sizes))
SECONDS = float(os.environ.get("CTEINSUM_COTENGRA_SECONDS", "60"))


def ssa(path):
    """Positions in a list that shrinks to numbers that do not change."""
    alive, pairs, made = list(range(len(inputs))), [], len(inputs)
    for step in path:
        taken = [alive[p] for p in step]
        for p in sorted(step, reverse=True):
            del alive[p]
        last = taken[0]
        for other in taken[1:]:
            pairs.append((last, other))
            last, made = made, made + 1
        alive.append(last)
    while len(alive) > 1:
        pairs.append((alive.pop(0), alive.pop(0)))
        alive.append(made)
        made += 1
    return pairs


class Late(Exception):
    pass


def stop(*_):
    raise Late


signal.signal(signal.SIGALRM, stop)


def report(name, plan, limit=60, repeat=True):
    least, path = None, None
    try:
        signal.alarm(limit)
        begun = time.perf_counter()
        while least is None or (repeat and time.perf_counter() - begun < 0.05):
            start = time.perf_counter()
            path = plan()
            took = time.perf_counter() - start
            least = took if least is None else min(least, took)
        signal.alarm(0)
    except Late:
        print(f"{name} -, stopped after {limit} s")
        return
    except Exception as error:
        signal.alarm(0)
        print(f"{name} -, {type(error).__name__}")
        return
    print(name, f"{least:.9f}", *(f"{a},{b}" for a, b in ssa(path)))


try:
    import random

    from opt_einsum import paths
    from opt_einsum.path_random import RandomGreedy

    sets, out = [frozenset(i) for i in inputs], frozenset(output)
    report("opt_einsum_greedy", lambda: paths.greedy(sets, out, dims))
    if len(inputs) <= 8:
        report("opt_einsum_optimal", lambda: paths.optimal(sets, out, dims))
    report("opt_einsum_dp", lambda: paths.DynamicProgramming(minimize="flops")(sets, out, dims), 20)

    def repeated():
        random.seed(1)
        return RandomGreedy(max_repeats=128, parallel=False)(sets, out, dims)

    report("opt_einsum_random-greedy-128", repeated, repeat=False)
except ImportError as error:
    print(f"opt_einsum -, {error}")
try:
    import cotengra

    if len(inputs) > 6:

        def hyper():
            search = cotengra.HyperOptimizer(
                minimize="flops", max_repeats=1_000_000, max_time=SECONDS, parallel=False, reconf_opts={}, progbar=False
            )
            # Its compiled part takes labels that are characters.
            name = [chr(0x4E00 + label) for label in range(len(sizes))]
            named = [tuple(name[label] for label in term) for term in inputs]
            return search(named, tuple(name[label] for label in output), dict(zip(name, sizes)))

        report(f"cotengra_{SECONDS:.0f}s", hyper, int(3 * SECONDS) + 10, repeat=False)
except ImportError as error:
    print(f"cotengra -, {error}")
