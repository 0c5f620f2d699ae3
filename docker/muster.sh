#!/bin/sh
# `muster` in a shell of the image.
exec node --enable-source-maps /app/dist/main.js "$@"
