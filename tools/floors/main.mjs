#!/usr/bin/env node
// Fails when folders of an app or a library import each other in a circle. oxlint's `import/no-cycle` knows files, not folders.
import { checkout } from '../prepare/checkout.mjs';
import { cyclesOfFeatures } from './cycles.mjs';

const [, , root = checkout] = process.argv;
const cycles = cyclesOfFeatures(root);
for (const text of cycles) console.error(text);
if (cycles.length > 0) {
  console.error(
    'Folders import in one direction: move what both need to a folder under both, see CONTRIBUTING.md (rule of imports).',
  );
  process.exitCode = 1;
}
