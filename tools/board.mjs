#!/usr/bin/env node
// Makes the Grafana board from the declared figures: docker/grafana/generated/muster.json.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { resolveSources } from './bundle.mjs';
import { checkout } from './prepare/checkout.mjs';

const folder = join(checkout, 'docker/grafana/generated');
mkdirSync(folder, { recursive: true });
const made = await rolldown({
  input: join(checkout, 'docker/grafana/board.ts'),
  platform: 'node',
  resolve: resolveSources,
  tsconfig: false,
});
const file = join(folder, 'board.mjs');
await made.write({ file, codeSplitting: false });
await made.close();
const { board } = await import(pathToFileURL(file).href);
rmSync(file);
writeFileSync(join(folder, 'muster.json'), `${JSON.stringify(board(), null, 2)}\n`);
