import 'reflect-metadata';
import { main } from '@muster/platform';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runSingle } from './single.js';

// Resolved by name, because the bundle of this file is elsewhere.
const manifest = createRequire(import.meta.url).resolve('@muster/single/package.json');
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };

main(() => runSingle(process.env, version));
