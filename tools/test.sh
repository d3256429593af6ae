#!/bin/sh
# Runs every check of the repository and ends with a line `N passed, M failed`.
#
#   sh tools/test.sh          all of it; tests/README.md says what each part costs
#   sh tools/test.sh --long   with 100 000 positions of every game in the comparison of engines, and deeper counts
#
# The conformance corpus is looked for in $RULEC_CORPUS, else in ../shared/corpus. Without it its tests are skipped,
# or fail if $CI is true. Needs Rust, a C compiler, and Python 3 for the launcher of tools/launch; tests of the web page need
# Chromium in the same way.
set -u
cd "$(dirname "$0")/.." || exit 2
root=$PWD

positions=1000
comparison=
mutants=20000
case "${1:-}" in
    '') ;;
    --long)
        positions=100000 comparison=--optimised mutants=1000000 RULEC_LONG=1
        export RULEC_LONG
        ;;
    *) echo "usage: sh tools/test.sh [--long]" >&2 && exit 2 ;;
esac

RULEC_CORPUS=${RULEC_CORPUS:-$root/../shared/corpus}
RULEC_CACHE=${RULEC_CACHE:-$root/target/games}
target=${CARGO_TARGET_DIR:-$root/target}
export RULEC_CORPUS RULEC_CACHE
# What is built once is not built by parts, which would take five gigabytes, and without tables of lines and names, which nobody
# looks up there and which are half of every program of tests.
[ "${CI:-}" = true ] && export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=none CARGO_PROFILE_DEV_STRIP=symbols
# What a run needs from nothing.
gigabytes=10
free=$(df -Pk . | awk 'NR == 2 { print int($4 / 1048576) }')
echo "$free gigabytes free"
[ -d "$target/debug" ] || [ "$free" -ge "$gigabytes" ] || echo "may not be enough: all checks together build $gigabytes gigabytes"
scratch=$(mktemp -d) || exit 2
# What runs beside the rest.
aside=
trap 'kill $aside 2>/dev/null; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

counts=$scratch/counts
costs=$scratch/costs
: >"$counts"
: >"$costs"

# Seconds after which a check is ended where nobody watches: what waits for ever shall be told with what it had said.
patience=2400

# bounded COMMAND...: runs a program, in CI not longer than that; what it started ends with it.
bounded() {
    case "${CI:-} $(command -v "$1")" in
        true\ /*) measured timeout --kill-after=20 "$patience" "$@" ;;
        *\ /*) measured "$@" ;;
        *) "$@" ;;
    esac
}

# start: a step begins, which `took` will measure.
start() {
    began=$(date +%s)
    spending=$(mktemp "$scratch/times.XXXXXX")
}

# measured COMMAND...: runs a program and notes its processor time. That of this shell has other lanes in it, which end meanwhile.
measured() {
    # shellcheck disable=SC2016
    sh -c '"$@"; result=$?; times >>"$0"; exit "$result"' "$spending" "$@"
}

# took NAME: notes the seconds of a step, of processor time and by the clock.
took() {
    spent=$(tr ms '  ' <"$spending" | awk 'NR % 2 == 0 { n += 60 * ($1 + $3) + $2 + $4 } END { print int(n + 0.5) }')
    echo "$spent $(($(date +%s) - began)) $1" >>"$costs"
}

# count OK NAME: notes the result of one check.
count() {
    if [ "$1" = 0 ]; then
        echo "1 0" >>"$counts"
    else
        echo "0 1" >>"$counts"
        echo "FAILED: $2"
    fi
}

# step NAME COMMAND...: one check that is one command.
step() {
    name=$1
    shift
    echo "== $name"
    start
    bounded "$@"
    count $? "$name"
    took "$name"
}

# tests NAME COMMAND...: a command that runs many tests; each counts.
tests() {
    name=$1
    shift
    output=$(mktemp "$scratch/tests.XXXXXX")
    echo "== $name"
    start
    { bounded "$@" 2>&1; echo "exit code $?"; } | tee "$output"
    took "$name"
    sum='{ n += $1 } END { print n + 0 }'
    here=$(sed -n 's/^test result: .* \([0-9][0-9]*\) passed;.*/\1/p' "$output" | awk "$sum")
    bad=$(sed -n 's/^test result: .* \([0-9][0-9]*\) failed;.*/\1/p' "$output" | awk "$sum")
    echo "$here $bad" >>"$counts"
    if ! grep -qx 'exit code 0' "$output" && [ "$bad" = 0 ]; then
        count 1 "$name"
    fi
}

# lacks WHAT PROGRAM: whether a program is not linked with something.
lacks() {
    libraries=$(ldd "$2") || return 1
    ! echo "$libraries" | grep -iE "$1"
}

# plain PACKAGE: whether a package needs no crate that needs a system library.
plain() {
    tree=$(cargo tree --locked --quiet -p "$1" -e normal --prefix none) || return 1
    ! echo "$tree" | grep -E '^(serialport|opencv|libudev)'
}

# rustc with the lints of clippy, as `cargo clippy` calls it. The workspace is built by it, so that no lint needs another compilation.
linter=$(rustc --print sysroot)/bin/clippy-driver
linted="build.rustc-workspace-wrapper='$linter'"
# Warnings are errors, as with `cargo clippy -- -D warnings`. Only the linter reads this.
export CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__

# The workspace as developers build it.
workspace() {
    step "formatting" cargo fmt --all --check
    step "lints, and tests are built" cargo --config "$linted" test --workspace --locked --quiet --no-run
    : >"$scratch/built"
    step "benchmarks are built" cargo --config "$linted" test --workspace --benches --locked --quiet --no-run
    packages
    # Side by side: the tests of the command wait for browsers and servers, and each of the other programs for its longest test.
    { tests "tests of the command" cargo --config "$linted" test --workspace --locked --no-fail-fast --test all; } >"$scratch/command" 2>&1 &
    aside="$aside $!"
    # No other program of tests has a name with this letter: compiler/cli/tests/layering.rs.
    tests "other tests" cargo --config "$linted" test --workspace --locked --no-fail-fast --lib --bins --test '[!a]*'
    wait "${aside##* }"
    cat "$scratch/command"
}

# Documentation of the workspace, without warnings; what it shows runs.
documentation() {
    mkdir "$scratch/documentation"
    tests "documentation and tests in it" env RUSTDOC="$root/tools/rustdoc.sh" RULEC_DOCUMENTATION="$scratch/documentation" \
        cargo --config "$linted" test --workspace --locked --no-fail-fast --doc
}

# The crates that are published, as a registry would get them.
packages() {
    step "packages of the published crates" cargo package --workspace --no-verify --offline --allow-dirty --quiet \
        --target-dir "$target/packages" --exclude rulec-benches --exclude rulec-onnx --exclude rulec-python --exclude uct --exclude rulec-grammars --exclude rulec-random-rules --exclude rulec-rewrites --exclude rulec-shards \
        --exclude rulec-samples --exclude rulec-same-play
}

# What needs OpenCV.
opencv() {
    if pkg-config --exists opencv4 2>/dev/null; then
        export OPENCV_LOG_LEVEL=ERROR
        crate=runtime/vision-opencv/Cargo.toml
        folder=$target/vision-opencv
        step "formatting of the OpenCV part" cargo fmt --manifest-path "$crate" --check
        # The lints are those of the build for the tests: a check of its own would compile what the crate needs twice.
        step "lints of the OpenCV part" env CARGO_TARGET_DIR="$folder" RUSTC_WORKSPACE_WRAPPER="$linter" RUSTFLAGS="-D warnings" \
            cargo test --manifest-path "$crate" --locked --quiet --no-run
        tests "tests of the OpenCV part" env CARGO_TARGET_DIR="$folder" RUSTC_WORKSPACE_WRAPPER="$linter" RUSTFLAGS="-D warnings" \
            cargo test --manifest-path "$crate" --locked --no-fail-fast
    elif [ "${CI:-}" = true ]; then
        count 1 "OpenCV is missing: libopencv-dev clang libclang-dev"
    else
        echo "skipped, no OpenCV: runtime/vision-opencv"
    fi
}

# Interpreter against compiled code, all rule files as modules of one program; each file is a check.
comparison() {
    set --
    for rules in games/*/*.s3 games/*/*.bgm games/*/*.json games/*/*.bbgel games/gs5/*.txt games/gs5/*.csv compiler/tests/bgm_features/*.bgm tests/compared/* "$RULEC_CORPUS"/s3/*/*.s3 "$RULEC_CORPUS"/bgm/*.bgm \
        "$RULEC_CORPUS"/bgc/*.json "$RULEC_CORPUS"/bgc/extended/*.json \
        "$RULEC_CORPUS"/bbgel/worlds/*.world "$RULEC_CORPUS"/bbgel/worlds/*.tile; do
        if [ -e "$rules" ]; then
            set -- "$@" "$rules"
        elif [ "${CI:-}" = true ]; then
            count 1 "the corpus is missing: $rules"
        else
            echo "skipped, no corpus: $rules"
        fi
    done
    echo "== engines agree on $positions positions of $# rule files"
    start
    # shellcheck disable=SC2086
    measured rulec difftest "$@" --positions "$positions" --seed 1 $comparison 2>"$scratch/warnings" | tee "$scratch/compared"
    took "engines agree"
    good=$(grep -c ': no difference in ' "$scratch/compared")
    echo "$good $(($# - good))" >>"$counts"
    [ "$good" = $# ] || { cat "$scratch/warnings" && echo "FAILED: engines differ, or some rule files could not be compared"; }
}

# Mutated rule files against the whole compiler, and the code of some of them against rustc.
mutants() {
    set -- games
    [ -d "$RULEC_CORPUS" ] && set -- games "$RULEC_CORPUS"
    step "$mutants mutants of rule files neither stop the compiler nor take long" \
        "$target/debug/examples/rulec-fuzz" --count "$mutants" --deep 5 --check 40 --out "$scratch/mutants" "$@"
}

# Advisories, licences and versions, where cargo-deny is on the machine: building it would take longer than most checks.
# Licences, sources and refused crates are checked by compiler/cli/tests/dependencies.rs everywhere.
denied() {
    if ! cargo deny --version >/dev/null 2>&1; then
        echo "skipped, no cargo-deny: advisories"
        return
    fi
    step "licences, versions and sources of dependencies" cargo deny --offline check bans licenses sources
    if [ -d "${CARGO_HOME:-$HOME/.cargo}/advisory-dbs" ]; then
        step "advisories on dependencies" cargo deny --offline check advisories
    else
        echo "skipped, no local database of advisories"
    fi
}

# The command as the first line of README.md builds it: by itself, for together with programs that use more features of libraries
# it would be compiled twice.
command_alone() {
    step "the command by itself" cargo build --profile light --locked --quiet -p rulec
}

# Waits until the tests are built, and with them the commands that the second lane runs.
built() {
    until [ -e "$scratch/built" ]; do sleep 1; done
}

# The games that the command compiles.
programs() {
    built
    # A crate of each language, as the compiler writes it; with what a library needs alone, the example of its documentation runs.
    for rules in games/s3/frogs.s3 games/bgm/parking.bgm games/bbgel/crossroads.bbgel games/bgc/three_camps.json games/gs5/around.txt; do
        shown=$(basename "${rules%.*}")
        fresh=generated/.fresh
        rm -rf "$fresh"
        rulec build "$rules" --crate "$fresh"
        step "generated/$shown is what the compiler writes" \
            diff -r -x Cargo.lock -x target "generated/$shown" "$fresh"
        rm -rf "$fresh"
        step "the example of generated/$shown" env CARGO_TARGET_DIR="$target/generated" \
            cargo test --quiet --no-default-features --manifest-path "generated/$shown/Cargo.toml"
    done

    comparison

    for game in tic_tac_toe nim; do
        step "one game in two languages: $game" rulec difftest "games/bgm/$game.bgm" --against "games/s3/$game.s3"
    done

    rulec build games/s3/frogs.s3 -o "$scratch/frogs"
    for program in "$target/light/rulec" "$scratch/frogs"; do
        step "$(basename "$program") links no library for cameras or ports" lacks 'opencv|udev|usb|serial' "$program"
        step "$(basename "$program") holds no code for serial ports" sh -c "! grep -qa serialport '$program'"
    done
}

# The extension for VS Code with what npm gets: its logic and grammars. Its client library is used by a test of the command.
extension() {
    if command -v npm >/dev/null 2>&1 && (cd editors/vscode && npm install --silent --no-audit --no-fund) >/dev/null 2>&1; then
        step "the extension for VS Code" sh -c 'cd editors/vscode && npm test --silent && npm run build --silent'
    else
        echo "skipped, no npm or no network: the extension for VS Code"
    fi
}
extension

# What the tests of the page look for faults of access with.
axe() {
    if command -v npm >/dev/null 2>&1 && (cd tools/axe && npm ci --silent --no-audit --no-fund) >/dev/null 2>&1; then
        echo "== axe-core looks at the pages"
    elif [ "${CI:-}" = true ]; then
        count 1 "npm cannot install axe-core: tools/axe"
    else
        echo "skipped, no npm or no network: axe-core looks at no page"
    fi
}
axe

# The launcher, with HyperQueue from the Python package index in an environment of its own.
launcher() {
    rulec build games/s3/tic_tac_toe.s3 -o "$scratch/tic_tac_toe" >/dev/null
    python=python3
    backend=hq
    if ! python3 -c 'import hyperqueue' 2>/dev/null; then
        if python3 -m venv "$scratch/venv" && "$scratch/venv/bin/pip" install --quiet hyperqueue==0.27.0; then
            python=$scratch/venv/bin/python
        elif [ "${CI:-}" = true ]; then
            count 1 "the Python package hyperqueue is missing"
            backend=
        else
            echo "skipped, no Python package hyperqueue: the launcher with HyperQueue"
            backend=
        fi
    fi
    tests "the launcher" "$python" tools/launch/test_launch.py "$scratch/tic_tac_toe" $backend
}

# The Python package in an environment of its own, with the libraries that it has adapters for.
python_package() {
    venv=$target/python-venv
    if { [ -x "$venv/bin/pip" ] || python3 -m venv "$venv"; } && "$venv/bin/pip" install --quiet maturin==1.16.0 numpy==2.4.6 \
        pettingzoo==1.27.0 gymnasium==1.4.0 open_spiel==2.0.2 pytest==9.2.0; then
        rm -rf "$scratch/wheel"
        step "lints and a wheel of the Python package" env RUSTC_WORKSPACE_WRAPPER="$linter" "$venv/bin/maturin" build --quiet --locked \
            --profile light --manifest-path python/Cargo.toml --out "$scratch/wheel"
        step "the wheel is installed" "$venv/bin/pip" install --quiet --force-reinstall --no-deps "$scratch"/wheel/*.whl
        step "the Python package" "$venv/bin/python" -m pytest -q python/tests
        step "a network that learns beats its start" env OPENBLAS_NUM_THREADS=1 "$venv/bin/python" examples/alphazero/train.py \
            games/s3/connect_four_5x4.s3 --network numpy --generations 6 --rate 5e-4 --out "$scratch/alphazero" --least 0.7
    elif [ "${CI:-}" = true ]; then
        count 1 "pip cannot install what the Python package is tested with"
    else
        echo "skipped, no pip or no network: the Python package"
    fi
}

# Chess by our rules talks to a client of the Python package index, and to Stockfish where Debian's package is there.
chess() {
    chess_python=python3
    if ! python3 -c 'import chess' 2>/dev/null; then
        if python3 -m venv "$scratch/chess" && "$scratch/chess/bin/pip" install --quiet chess==1.11.2; then
            chess_python=$scratch/chess/bin/python
        else
            chess_python=
        fi
    fi
    if [ -n "$chess_python" ]; then
        opponent=$(PATH=$PATH:/usr/games command -v stockfish || true)
        [ -n "$opponent" ] || echo "skipped, no stockfish: chess plays against itself only"
        rulec build games/bgc/chess.json -o "$scratch/chess_engine" >/dev/null
        step "chess by UCI" "$chess_python" tools/uci/play.py --engine "$scratch/chess_engine uci --bot alphabeta:eval=zero" \
            --opponent "${opponent:-$scratch/chess_engine uci --bot alphabeta:eval=zero}"
    elif [ "${CI:-}" = true ]; then
        count 1 "the Python package chess is missing"
    else
        echo "skipped, no Python package chess: chess by UCI"
    fi
}

# The commands of README.md and of the tour in the manual: those of cargo in the checkout, the others in a folder of their own.
# The program for robots is that of the tests.
readme() {
    built
    mkdir "$scratch/tour" && ln -s "$root/games" "$scratch/tour/games"
    sed -n '/^```sh\(,elsewhere\)\{0,1\}$/,/^```$/p' README.md docs/src/tour.md | grep -v '^```' | grep -v '^sh tools/test.sh' >"$scratch/commands"
    while IFS= read -r line; do
        case "$line" in
            cargo\ install*) continue ;;
            cargo*) folder=$root ;;
            *) folder=$scratch/tour ;;
        esac
        echo "== README: $line"
        start
        (cd "$folder" && bounded sh -c "$line") </dev/null >"$scratch/out" 2>&1
        result=$?
        took "README: $line"
        [ "$result" = 0 ] || cat "$scratch/out"
        count "$result" "README: $line"
    done <"$scratch/commands"
}

PATH=$target/debug:$PATH

# Side by side, for each waits now and then on one core: they build in folders of their own.
{ command_alone; opencv; python_package; programs; launcher; chess; readme; documentation; } >"$scratch/programs" 2>&1 &
lane=$!
aside=$lane
workspace
mutants
denied
for package in rulec rulec-runtime rulec-vision rulec-arm rulec-robot; do
    step "$package needs no code for cameras or ports" plain "$package"
done
wait "$lane"
aside=
cat "$scratch/programs"

echo "== seconds of the steps, of processor time and by the clock; those of the programs ran beside those of the workspace"
sort -rn "$costs" | head -40
awk '{ passed += $1; failed += $2 } END { print passed " passed, " failed " failed"; exit failed > 0 }' "$counts"
