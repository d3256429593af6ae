#!/bin/sh
# Stands in for rustdoc where cargo runs the tests in documentation (RUSTDOC): writes the documentation of the crate as well, into
# the folder $RULEC_DOCUMENTATION, with warnings as errors. `cargo doc` would check all that the crates depend on once more before.
set -eu

written() {
    skip=
    for arg; do
        shift
        case "$skip$arg" in
            --test) ;;
            --test-run-directory | --test-builder | --test-args) skip=value: ;;
            value:*) skip= ;;
            *) set -- "$@" "$arg" ;;
        esac
    done
    rustdoc "$@" -D warnings --out-dir "$RULEC_DOCUMENTATION"
}

case " $* " in
    *" --test "*) written "$@" ;;
esac
exec rustdoc "$@"
