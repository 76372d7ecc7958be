"""Adds NumPy, opt_einsum, JAX and torch to the rows of a race: `python3 python_peers.py race.jsonl all.jsonl`.

Those that are installed; of the others it says that they are not. Each has the subscripts, shapes, element types and values of
the row, one thread, and the shortest mean time of several rounds. JAX is jitted and makes new arrays; NumPy and torch run
`einsum` as a user would call it, NumPy with a path found beforehand and into a given array but for the rows of `fresh`;
opt_einsum, for more than two operands, an expression made beforehand for NumPy's arrays. The ratio behind them is of shortest times, because they do not run in turns
with the others.

What they compute must be what the race has computed, which wrote down for each row the sum of all elements of its result and
two sums in which the places count; a row that differs ends the program.
"""

import importlib
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


def installed(name):
    """The library, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed: its rows are left out", file=sys.stderr)
        return None


opt_einsum, jax, torch = map(installed, ("opt_einsum", "jax", "torch"))
if jax:
    jax.config.update("jax_enable_x64", True)
if torch:
    torch.set_num_threads(1)

# The bytes of the race are added up in 32 bits, which these have no call for: they get numbers of 32 bits at once.
TYPES = {"f64": "float64", "f32": "float32", "c64": "complex128", "i64": "int64", "i32": "int32", "i8": "int32"}
# Seconds for one contender of a row.
BUDGET = 0.5
# Where our calls are compared with one another, and nobody else has a row.
OURS_ALONE = ("calls", "threads")


def values(shape, seed, dtype):
    """Small whole numbers, as the other contenders have them."""
    i = np.arange(int(np.prod(shape)), dtype=np.int64)
    x = (i * 31 + seed * 17 + i // 7) % 5
    if dtype.startswith("complex"):
        x = x + 1j * ((2 * x + 1) % 5)
    return x.astype(dtype).reshape(shape)


def fingerprint(x):
    """As the race makes it of its result: sums of the elements with weights 1, place mod 7 + 1, and place mod 101 + 1."""
    x = np.asarray(x).reshape(-1)
    i = np.arange(x.size)
    weights = (None, i % 7 + 1, i % 101 + 1)
    parts = (x.real, x.imag) if np.iscomplexobj(x) else (x,)
    return [float(np.sum(p if w is None else p * w, dtype=np.float64)) for p in (p.astype(np.float64, copy=False) for p in parts) for w in weights]


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


def contenders(spec, operands, shape, fresh):
    """By name: a call, and its result as an array of NumPy's."""
    search = "optimal" if len(operands) <= 6 else "greedy"
    # Found beforehand; without a limit, intermediates may be larger than the operands.
    path = np.einsum_path(spec, *operands, optimize=(search, 1 << 60))[0] if len(operands) > 1 else False
    out = None if fresh else np.empty(shape, operands[0].dtype)
    numpy = lambda: np.einsum(spec, *operands, optimize=path, out=out)
    # As torch below: `einsum` alone may give a view.
    yield "NumPy", (lambda: np.array(numpy(), order="C", copy=len(operands) == 1 or None)) if fresh else numpy, np.asarray
    if opt_einsum and len(operands) > 2:
        shapes = [x.shape for x in operands]
        expression = opt_einsum.contract_expression(spec, *shapes, optimize=search)
        yield "opt_einsum", lambda: expression(*operands, out=out), np.asarray
    if jax:
        arrays = [jax.device_put(x) for x in operands]
        call = jax.jit(lambda *xs: jax.numpy.einsum(spec, *xs, optimize=search))
        yield "JAX", lambda: jax.block_until_ready(call(*arrays)), np.asarray
    if torch:
        tensors = [torch.from_numpy(x) for x in operands]
        # Written out: torch exchanges strides where NumPy's `out` is written. What shares memory with an operand is copied.
        copies = torch.clone if len(operands) == 1 else torch.Tensor.contiguous
        form = {"memory_format": torch.contiguous_format} if len(operands) == 1 else {}
        yield "torch", lambda: copies(torch.einsum(spec, *tensors), **form), lambda y: y.numpy()


def main(source, target):
    with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as to:
        about, *rows = map(json.loads, lines)
        found = [f"NumPy {np.__version__}"]
        found += [f"{m.__name__} {m.__version__}" for m in (opt_einsum, jax, torch) if m]
        print(json.dumps({**about, "beside": found}), file=to)
        for row in rows:
            if "spec" in row and row["regime"] not in OURS_ALONE:
                add(row)
            print(json.dumps(row), file=to, flush=True)


def add(row):
    """Adds the contenders to a row."""
    spec, dtype = row["spec"], TYPES[row["size"].split()[0]]
    operands = [values(s, 1 + n, dtype) for n, s in enumerate(row["shapes"])]
    ours = row["nanoseconds"][0]
    for name, call, result in contenders(spec, operands, row["shape"], row["regime"] == "fresh"):
        try:
            found = result(call())
        except (RuntimeError, NotImplementedError) as error:
            # A type or a number of axes that a library has no einsum for.
            print(f"{spec} {row['size']}: {name}: {error}", file=sys.stderr)
            continue
        # Whole numbers, that all add up exactly as long as they are not too large.
        np.testing.assert_allclose(fingerprint(found), row["fingerprint"], rtol=1e-9, err_msg=f"{name}: {spec} {row['size']}")
        spent = shortest(call)
        row["names"].append(name)
        row["nanoseconds"].append(spent)
        row["ratios"].append(ours / spent)
    shown = zip(row["names"], row["nanoseconds"])
    print(spec, row["size"], *(f"{n} {t / 1e3:.3g} us" for n, t in shown), flush=True)


main(*sys.argv[1:])
