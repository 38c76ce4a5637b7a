#!/usr/bin/env bash
# installed_tree_test.sh BUILD SOURCE: what `cmake --install` writes must run from a folder that the build never knew, without the
# source tree's help.
set -euo pipefail
build=$1 source=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cmake --install "$build" --prefix "$tree/first" >/dev/null
mv "$tree/first" "$tree/elsewhere"
cd "$tree"

passed=0 failed=0
expect() {  # NAME COMMAND...
  local name=$1
  shift
  if "$@" >output 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$name failed:"; cat output; fi
}
rocxla=$tree/elsewhere/bin/rocxla
example=$tree/elsewhere/share/rocxla/examples/mlp
expect version "$rocxla" --version
expect run "$rocxla" run "$example/module.hlo" --inputs "$example/io.safetensors" --check --device embedded:gfx1100
# exponentials and the like come from the device libraries, which must be found from here too
expect libraries "$rocxla" check "$source/tests/cases/jax/unary_tanh" --device embedded:gfx942
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
