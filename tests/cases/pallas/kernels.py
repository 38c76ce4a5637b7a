"""Pallas kernels and what they compute, for recording the cases of this folder with JAX 0.11.2 (see examples/README.md)."""
import functools

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton as plgpu
from jax.experimental.pallas.ops.gpu import attention, layer_norm, rms_norm, softmax

random = np.random.default_rng(7)


def array(*shape, dtype=np.float32):
    return random.standard_normal(shape).astype(np.float32).astype(dtype)


def matmul(x, y, rows=32, columns=32, depth=32):
    def kernel(x_ref, y_ref, out_ref):
        def body(i, sum):
            a = plgpu.load(x_ref.at[:, pl.ds(i * depth, depth)])
            b = plgpu.load(y_ref.at[pl.ds(i * depth, depth), :])
            return sum + jnp.dot(a, b, preferred_element_type=jnp.float32)

        zero = jnp.zeros(out_ref.shape, jnp.float32)
        out_ref[...] = jax.lax.fori_loop(0, x.shape[1] // depth, body, zero).astype(out_ref.dtype)

    (m, k), n = x.shape, y.shape[1]
    return pl.pallas_call(
        kernel, out_shape=jax.ShapeDtypeStruct((m, n), jnp.float32), grid=(m // rows, n // columns),
        in_specs=[pl.BlockSpec((rows, k), lambda i, j: (i, 0)), pl.BlockSpec((k, columns), lambda i, j: (0, j))],
        out_specs=pl.BlockSpec((rows, columns), lambda i, j: (i, j)),
        compiler_params=plgpu.CompilerParams(num_warps=4, num_stages=2), name="matmul")(x, y)


def in_place(x, y):
    def kernel(x_ref, y_ref, out_ref):
        out_ref[...] = x_ref[...] * 2 + y_ref[...]

    block = pl.BlockSpec((16,), lambda i: (i,))
    return 1 + pl.pallas_call(
        kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), grid=(4,), in_specs=[block, block], out_specs=block,
        input_output_aliases={0: 0}, compiler_params=plgpu.CompilerParams(num_warps=1, num_stages=1),
        name="inplace")(x, y)


def masked(x, count):
    def kernel(x_ref, count_ref, sum_ref, prefix_ref):
        kept = plgpu.load(x_ref, mask=jnp.arange(128) < count_ref[...], other=0.0)
        sum_ref[...] = jnp.sum(kept)
        prefix_ref[...] = jnp.cumsum(kept)

    return pl.pallas_call(
        kernel, out_shape=(jax.ShapeDtypeStruct((), jnp.float32), jax.ShapeDtypeStruct((128,), jnp.float32)),
        compiler_params=plgpu.CompilerParams(num_warps=2, num_stages=1), name="masked")(x, count)


def masked_reference(x, count):
    kept = jnp.where(jnp.arange(128) < count, x, 0)
    return kept.sum(), jnp.cumsum(kept)


# name: program, arguments, reference, tolerance
CASES = {
    f"matmul_{name}": (matmul, (array(64, 96, dtype=dtype), array(96, 64, dtype=dtype)),
                       lambda x, y: x.astype(jnp.float32) @ y.astype(jnp.float32), 1e-3)
    for name, dtype in (("f32", np.float32), ("bf16", ml_dtypes.bfloat16), ("f16", np.float16))
}
CASES["in_place"] = in_place, (array(64), array(64)), lambda x, y: x * 2 + y + 1, 1e-5
CASES["masked"] = masked, (array(128), np.int32(77)), masked_reference, 1e-4
QKV = tuple(array(1, 64, 2, 32) for _ in range(3))
for causal in (False, True):
    CASES[f"mha_causal{int(causal)}"] = (
        functools.partial(attention.mha, segment_ids=None, causal=causal,
                          block_sizes=attention.BlockSizes(block_q=32, block_k=32)),
        QKV, functools.partial(attention.mha_reference, segment_ids=None, causal=causal), 2e-3)
NORM = array(2, 4, 256), array(256), array(256)
CASES["layer_norm"] = layer_norm.layer_norm, NORM, layer_norm.layer_norm_reference, 1e-4
CASES["rms_norm"] = rms_norm.rms_norm, NORM, rms_norm.rms_norm_reference, 1e-4
CASES["ops_softmax"] = softmax.softmax, (array(16, 200),), functools.partial(jax.nn.softmax, axis=-1), 1e-4
