#!/bin/sh
# Replaces the shell by one of our programs, so that the program receives the container's signals.
set -eu

case "${1:-}" in
  api | worker)
    program="$1"
    shift
    export MALLOC_ARENA_MAX=2
    exec node --max-old-space-size=384 --max-semi-space-size=8 --expose-gc --max-http-header-size=65536 "/app/dist/apps/$program/src/main.js" "$@"
    ;;
  admin)
    program="$1"
    shift
    exec node "/app/dist/apps/$program/src/main.js" "$@"
    ;;
  *)
    exec "$@"
    ;;
esac
