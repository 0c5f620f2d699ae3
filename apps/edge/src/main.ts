import { exitCodeOf } from '@muster/platform/read-settings';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runEdge } from './edge.js';

// Resolved by name, because the bundle of this file is elsewhere.
const manifest = createRequire(import.meta.url).resolve('@muster/edge/package.json');
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };

runEdge(process.env, version).catch((error: unknown) => {
  process.stderr.write(`edge: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = exitCodeOf(error);
});
