import { availableParallelism } from 'node:os';
import { defaultServerConditions } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';

const unit = [
  'libs/**/src/**/*.spec.ts',
  'apps/**/src/**/*.spec.ts',
  'tools/**/*.spec.mjs',
  'test/architecture/**/*.spec.ts',
  'test/bench/**/*.spec.ts',
  'test/docs/**/*.spec.ts',
  'test/support/**/*.spec.ts',
];
const stores = ['test/stores/**/*.spec.ts'];
const e2e = ['test/e2e/**/*.spec.ts'];
const attacks = ['test/attacks/**/*.spec.ts'];
const postgres = 'test/stores/postgres.setup.ts';
const sharedStack = 'test/e2e/shared-stack.setup.ts';

/** Statistical checks of whole methods, whose parts have tests of their own: `npm run test:long` runs them. */
const long = [
  'libs/lab/simulation/src/history/worlds.spec.ts',
  'libs/lab/simulation/src/newcomers/information.spec.ts',
  'libs/lab/simulation/src/newcomers/simulate-placement.spec.ts',
  'libs/lab/simulation/src/newcomers/speed.spec.ts',
  'libs/lab/simulation/src/launch/launch.spec.ts',
];
// Tests run beside each other on machines of any speed, and most queue without a second attempt.
process.env['ADMISSION_DELAY_MS'] ??= '0';
process.env['EDGE_ADMISSION_DELAY_MS'] ??= '0';

const exclude = ['**/node_modules/**', '**/dist/**', '**/generated/**', '**/.muster/**'];
if (!process.env['MUSTER_TEST_LONG']) exclude.push(...long);

/** Exports of our packages under this condition are their TypeScript sources, so that no test needs a build of a library. */
// Not under `module`, which is for bundlers: Node cannot load what OpenTelemetry has there.
const conditions = ['@muster/source', ...defaultServerConditions.filter((name) => name !== 'module')];

function project(
  name: string,
  include: string[],
  limitMs: number,
  globalSetup: string[],
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: { name, include, exclude, globalSetup, testTimeout: limitMs, hookTimeout: limitMs },
  };
}

// The limits end what hangs: a machine with much else to do takes many times as long as an idle one. Some unit tests start a
// real store.
const apart = [
  project('unit', unit, 60_000, []),
  project('stores', stores, 180_000, [postgres]),
  project('e2e', e2e, 180_000, [postgres, sharedStack]),
  project('attacks', attacks, 180_000, [postgres]),
];
// Vitest ends a worker when the next file is of another project. In one project, workers and what they have imported serve
// all files, and stories that wait run beside units that compute. What operators do is left to `npm run test:operators`.
const together = [
  project('all', [...unit, ...stores, ...e2e, '!test/e2e/operators/**'], 180_000, [postgres, sharedStack]),
];

export default defineConfig(({ mode }) => ({
  environments: {
    ssr: { resolve: { conditions } },
    // Where Vitest loads `globalSetup`.
    __vitest__: { resolve: { conditions } },
  },
  // Nest injects by the types that decorators leave behind. Vite would take this from the nearest tsconfig.json, but
  // specs and test/ have none that includes them, so it is said here once for all.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    // Two cores are what a small machine and a hosted runner have. More workers than cores: stories mostly wait.
    maxWorkers: Math.min(5, 3 + availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // Files share their worker's modules, for a process and its imports cost more than most files. So what a file changes
    // of the process (an environment variable, a clock) it must put back.
    isolate: false,
    // Of the garbage collector: fewer collections of young objects.
    execArgv: ['--max-semi-space-size=32'],
    setupFiles: ['test/support/property-seed.ts', 'test/support/time-of-file.setup.ts'],
    reporters: [
      'default',
      ...(process.env.GITHUB_ACTIONS ? ['github-actions'] : []),
      './test/support/time-reporter.ts',
    ],
    // `npm test` sets the mode.
    projects: mode === 'together' ? together : apart,
  },
}));
