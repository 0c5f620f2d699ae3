#!/usr/bin/env node
// Tests that take long and tell little of a single change: statistical checks of whole methods, every property on further
// seeds, more races and queries of the stores, and the predictions of recorded matches where MUSTER_DATA names their folder.
// Ends with the first failure.
import { spawnSync } from 'node:child_process';
import { checkout } from './prepare/checkout.mjs';

/** Packages whose specs state properties. */
const propertied = ['solver', 'live-balance', 'matchmaking', 'skill', 'testing'].map(
  (name) => `libs/${name}`,
);
const seeds = ['1', '2', '3', '4'];
const recorded = ['evaluate-command', 'replay', 'stories'].map((name) => `test/e2e/${name}.spec.ts`);

function vitest(args, env = {}) {
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    cwd: checkout,
    stdio: 'inherit',
    env: { ...process.env, MUSTER_TEST_LONG: '1', ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
}

vitest(['--project=unit', 'libs/skill', 'libs/lab/simulation']);
for (const seed of seeds) {
  console.log(`=== properties on seed ${seed}`);
  vitest(['--project=unit', '--reporter=dot', ...propertied], { MUSTER_TEST_SEED: seed });
}
vitest(['--project=stores', 'test/stores/match-life.spec.ts', 'test/stores/growth.spec.ts']);
if (process.env.MUSTER_DATA)
  vitest(['--project=e2e', ...recorded, '--testNamePattern=recorded (histories|matches|season)']);
else console.log('Recorded matches: skipped without the folder MUSTER_DATA');
