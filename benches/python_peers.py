"""Adds NumPy, JAX and torch, whichever are installed, to the rows of a race: `python3 python_peers.py race.jsonl all.jsonl`.

The same subscripts, shapes, element types and values; one thread; the shortest mean time of several rounds. JAX is jitted and
makes new arrays; NumPy and torch run `einsum` as a user would call it, NumPy into a given array. The ratio behind them is
of shortest times, because they do not run in turns with the others. What they compute must agree.
"""

import json
import os
import sys
import time

for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    # Set for old builds on some machines; a new one chooses better by itself.
    os.environ.pop(name, None)
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
os.environ.setdefault("JAX_PLATFORMS", "cpu")
if hasattr(os, "sched_setaffinity"):
    # JAX has no setting that keeps it to one thread: it counts the cores that it may use.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import numpy as np

try:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
except ImportError:
    jax = None
try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

TYPES = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32}
# Seconds for one contender of a row.
BUDGET = 1.0


def values(shape, seed, dtype):
    """Small whole numbers, as the other contenders have them."""
    i = np.arange(int(np.prod(shape)), dtype=np.int64)
    return ((i * 31 + seed * 17 + i // 7) % 5).astype(dtype).reshape(shape)


def shortest(call):
    """Nanoseconds."""
    call()
    start = time.perf_counter_ns()
    call()
    once = max(1, time.perf_counter_ns() - start)
    runs = max(1, 200_000 // once)
    best, end = float("inf"), time.perf_counter() + BUDGET
    for _ in range(1000):
        start = time.perf_counter_ns()
        for _ in range(runs):
            call()
        best = min(best, (time.perf_counter_ns() - start) / runs)
        if time.perf_counter() > end:
            break
    return best


def contenders(spec, operands):
    """By name: a call, and its result as an array of NumPy's."""
    out = np.empty_like(np.einsum(spec, *operands, optimize=True))
    optimize = "optimal" if len(operands) > 1 else False
    yield "NumPy", lambda: np.einsum(spec, *operands, optimize=optimize, out=out), lambda _: out
    if jax:
        arrays = [jax.device_put(x) for x in operands]
        call = jax.jit(lambda *xs: jnp.einsum(spec, *xs, optimize="optimal"))
        yield "JAX", lambda: jax.block_until_ready(call(*arrays)), np.asarray
    if torch:
        tensors = [torch.from_numpy(x) for x in operands]
        # Written out: torch exchanges strides where NumPy's `out` is written.
        call = lambda: torch.einsum(spec, *tensors).contiguous()
        yield "torch", call, lambda y: y.numpy()


def main(source, target):
    with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as to:
        about, *rows = map(json.loads, lines)
        found = [f"NumPy {np.__version__}"]
        found += [f"JAX {jax.__version__}"] if jax else []
        found += [f"torch {torch.__version__}"] if torch else []
        print(json.dumps({**about, "beside": found}), file=to)
        for row in rows:
            dtype = TYPES[row["size"].split()[0]]
            operands = [values(s, 1 + n, dtype) for n, s in enumerate(row["shapes"])]
            ours, first = row["nanoseconds"][0], None
            for name, call, result in contenders(row["spec"], operands):
                found = result(call())
                first = np.array(found) if first is None else first
                np.testing.assert_allclose(found, first, rtol=1e-5)
                spent = shortest(call)
                row["names"].append(name)
                row["nanoseconds"].append(spent)
                row["ratios"].append(ours / spent)
            shown = zip(row["names"], row["nanoseconds"])
            print(row["spec"], row["size"], *(f"{n} {t / 1e3:.3g} us" for n, t in shown), flush=True)
            print(json.dumps(row), file=to, flush=True)


main(*sys.argv[1:])
