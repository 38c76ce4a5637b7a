"""A transformer block: layer norm, causal attention with several heads, and a two-layer perceptron, each with a residual."""
import jax
import jax.numpy as jnp
import numpy as np

RTOL, ATOL = 2e-3, 1e-4
BATCH, LENGTH, WIDTH, HEADS = 2, 32, 64, 4


def layer_norm(x, scale, offset):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + offset


def attention(x, qkv, out):
    q, k, v = (part.reshape(BATCH, LENGTH, HEADS, WIDTH // HEADS) for part in jnp.split(x @ qkv, 3, axis=-1))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.float32(np.sqrt(WIDTH // HEADS))
    causal = jnp.tril(jnp.ones((LENGTH, LENGTH), bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e9), axis=-1)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(BATCH, LENGTH, WIDTH) @ out


def program(x, weights):
    x = x + attention(layer_norm(x, *weights["norm1"]), weights["qkv"], weights["out"])
    hidden = jax.nn.gelu(layer_norm(x, *weights["norm2"]) @ weights["up"])
    return x + hidden @ weights["down"]


def arguments():
    random = np.random.default_rng(2)

    def weight(*shape):
        return (random.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)

    norm = (np.ones(WIDTH, np.float32), np.zeros(WIDTH, np.float32))
    weights = {"norm1": norm, "norm2": norm, "qkv": weight(WIDTH, 3 * WIDTH), "out": weight(WIDTH, WIDTH),
               "up": weight(WIDTH, 4 * WIDTH), "down": weight(4 * WIDTH, WIDTH)}
    return weight(BATCH, LENGTH, WIDTH) * np.float32(np.sqrt(BATCH)), weights
