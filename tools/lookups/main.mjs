#!/usr/bin/env node
// Fails when a source looks up a name from outside in a record, where it may be found on the prototype. oxlint knows no types.
import { recordLookups, sources } from './record-lookups.mjs';

const found = recordLookups(sources());
for (const line of found) console.error(`${line}: use a Map, or own() of @muster/domain`);
if (found.length > 0) process.exitCode = 1;
