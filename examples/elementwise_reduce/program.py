"""Elementwise arithmetic and reductions: a standardised, activated matrix with the statistics of its rows."""
import jax
import jax.numpy as jnp
import numpy as np

RTOL, ATOL = 1e-4, 1e-5


def program(x, scale, offset):
    mean = x.mean(axis=1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=1, keepdims=True)
    y = jax.nn.silu((x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + offset)
    return y, y.sum(axis=1), y.max(axis=1), jnp.argmax(y, axis=1)


def arguments():
    random = np.random.default_rng(1)
    return tuple(random.standard_normal(shape).astype(np.float32) for shape in ((37, 200), (200,), (200,)))
