"""Times of JAX for the regime `gradient`: a line `D` comes in, a line of nanoseconds goes out.

Forward, with the gradient of the first operand, with all four: jitted, in float64, on one thread.
"""

import os
import sys
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
if hasattr(os, "sched_setaffinity"):
    # JAX has no setting that keeps it to one thread: it counts the cores that it may use.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def step(a, b, c, e):
    return jnp.einsum("war,abu,bgl,gwd->ruld", a, b, c, e, optimize="optimal")


def first(a, b, c, e, dy):
    y, pullback = jax.vjp(lambda a: step(a, b, c, e), a)
    return y, pullback(dy)


def every(a, b, c, e, dy):
    y, pullback = jax.vjp(step, a, b, c, e)
    return y, pullback(dy)


def shortest(function, *arguments):
    """The shortest mean time of several rounds, as of the others of this program."""
    call = jax.jit(function)
    jax.block_until_ready(call(*arguments))
    start = time.perf_counter_ns()
    jax.block_until_ready(call(*arguments))
    rounds = max(1, 20_000_000 // max(1, time.perf_counter_ns() - start))
    best = float("inf")
    for _ in range(20):
        start = time.perf_counter_ns()
        for _ in range(rounds):
            result = call(*arguments)
        jax.block_until_ready(result)
        best = min(best, (time.perf_counter_ns() - start) / rounds)
    return best


for line in sys.stdin:
    d = int(line)
    i = jnp.arange(d)
    place = i[:, None, None] + 4 * i[None, :, None] + 16 * i[None, None, :]
    s = [jnp.sin(1.0 + n + 0.37 * place.astype(jnp.float64)) for n in range(4)]
    dy = jnp.ones((d, d, d, d))
    times = shortest(step, *s), shortest(first, *s, dy), shortest(every, *s, dy)
    print(*times, flush=True)
