#!/usr/bin/env bash
# Installs the npm package into empty projects and runs the README's examples there: as ES modules, in
# TypeScript with `strict`, bundled by esbuild.
#
#     bash web/install.sh PACKAGE.tgz|FOLDER
set -euo pipefail
package=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
web=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -d "$package" ]; then package=$work/$(cd "$package" && npm pack --silent --pack-destination "$work"); fi

mkdir "$work/project"
cd "$work/project"
echo '{ "name": "project", "private": true, "type": "module" }' >package.json
npm install --offline --no-audit --no-fund --silent "$package"
[ "$(find node_modules -mindepth 1 -maxdepth 1 -type d | wc -l)" = 1 ] || { echo "it has dependencies"; exit 1; }

# The examples of the README, and what they say that they print.
node "$web/examples.mjs" node_modules/utfkit/README.md "$work/project"
for example in example-*.mjs; do
    node "$example" >"$example.out"
    diff "${example%.mjs}.expected" "$example.out"
done
echo "Node: $(find . -maxdepth 1 -name 'example-*.mjs' | wc -l) examples print what the README says"

# Installed globally (`npm install --global deno bun`), or UTFKIT_DENO and UTFKIT_BUN.
for runtime in deno bun; do
    variable=UTFKIT_${runtime^^}
    command=${!variable:-$runtime}
    if ! command -v "$command" >/dev/null; then
        echo "left out: $runtime is not installed"
        continue
    fi
    arguments=()
    [ $runtime = bun ] || arguments=(run --quiet --allow-read)
    for example in example-*.mjs; do
        "$command" ${arguments[@]+"${arguments[@]}"} "$example" >"$example.out"
        diff "${example%.mjs}.expected" "$example.out"
    done
    echo "$runtime: the same"
done

# Types.
ln -s "$web/node_modules/typescript" "$web/node_modules/@types" node_modules/
for example in example-*.mjs; do cp "$example" "${example%.mjs}.ts"; done
cp "$web/test/types.ts" .
cat >commonjs.cts <<'END'
import { decode } from "utfkit";
import iconv = require("utfkit/compat/iconv-lite");
const text: string = decode(new Uint8Array(1), "gbk") + iconv.decode(new Uint8Array(1), "win1251");
console.log(text.length);
END
for module in nodenext bundler; do
    node node_modules/typescript/bin/tsc --strict --noEmit --skipLibCheck false --target es2023 --lib es2023,dom,dom.iterable,dom.asynciterable \
        --types node --moduleResolution "$module" --module "$([ $module = nodenext ] && echo nodenext || echo esnext)" \
        $([ $module = nodenext ] && echo ./*.cts) ./*.ts
done
echo "TypeScript $(node node_modules/typescript/bin/tsc --version): strict, by both resolutions, and from CommonJS"

# A bundle for Node, and one for browsers with the module in it.
for example in example-*.mjs; do
    "$web/node_modules/.bin/esbuild" "$example" --bundle --platform=node --format=esm --log-level=error --external:node:\* --outfile="bundled-$example"
done
"$web/node_modules/.bin/esbuild" example-inline.mjs --bundle --format=iife --minify --log-level=error --outfile=bundle.js
node bundle.js | diff example-inline.expected -
# What is not used is not in a bundle.
echo 'import { validate } from "utfkit/inline/validate"; console.log(validate(Uint8Array.of(0xff)));' >small.mjs
"$web/node_modules/.bin/esbuild" small.mjs --bundle --format=esm --minify --log-level=error --outfile=small.js
node small.js
size=$(stat -c %s small.js)
[ "$size" -lt 60000 ] || { echo "a bundle of the validator has $size bytes"; exit 1; }
echo "esbuild: a program with the validator has $size bytes"
