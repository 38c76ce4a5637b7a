"""One training step of a small convolutional net: forward, backward, and stochastic gradient descent with momentum."""
import jax
import jax.numpy as jnp
import numpy as np

RTOL, ATOL = 2e-3, 1e-4
BATCH, SIZE, CLASSES = 8, 12, 10


def logits(parameters, images):
    x = images
    for kernel, bias in parameters["convolutions"]:
        x = jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = jax.nn.relu(x + bias)
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    weights, bias = parameters["dense"]
    return x.reshape(BATCH, -1) @ weights + bias


def loss(parameters, images, labels):
    log_probabilities = jax.nn.log_softmax(logits(parameters, images))
    return -log_probabilities[jnp.arange(BATCH), labels].mean()


def program(parameters, momentum, images, labels):
    value, gradients = jax.value_and_grad(loss)(parameters, images, labels)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, gradients)
    parameters = jax.tree.map(lambda p, m: p - 0.05 * m, parameters, momentum)
    return value, parameters, momentum


def arguments():
    random = np.random.default_rng(3)

    def weight(*shape):
        return (random.standard_normal(shape) / np.sqrt(np.prod(shape[:-1]))).astype(np.float32)

    def zeros(*shape):
        return np.zeros(shape, np.float32)

    parameters = {"convolutions": [(weight(3, 3, 3, 8), zeros(8)), (weight(3, 3, 8, 16), zeros(16))],
                  "dense": (weight(SIZE // 4 * SIZE // 4 * 16, CLASSES), zeros(CLASSES))}
    images = random.standard_normal((BATCH, SIZE, SIZE, 3)).astype(np.float32)
    labels = random.integers(0, CLASSES, BATCH).astype(np.int32)
    return parameters, jax.tree.map(np.zeros_like, parameters), images, labels
