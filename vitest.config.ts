import { availableParallelism } from 'node:os';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
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
/** Statistical checks of whole methods, whose parts have tests of their own: `npm run test:long` runs them. */
const long = [
  'libs/skill/src/aspects/worlds.spec.ts',
  'libs/skill/src/placement/information.spec.ts',
  'libs/skill/src/placement/simulate-placement.spec.ts',
  'libs/skill/src/placement/speed.spec.ts',
  'libs/simulation/src/launch/launch.spec.ts',
];
const exclude = ['**/node_modules/**', '**/dist/**', '**/generated/**', '**/.muster/**'];
if (!process.env['MUSTER_TEST_LONG']) exclude.push(...long);

/** Exports of our packages under this condition are their TypeScript sources, so that no test needs a build of a library. */
const conditions = ['@muster/source', ...defaultServerConditions];

export default defineConfig({
  environments: {
    ssr: { resolve: { conditions } },
    // Where Vitest loads `globalSetup`.
    __vitest__: { resolve: { conditions } },
  },
  // Nest injects by the types that decorators leave behind. Vite would take this from the nearest tsconfig.json, but
  // specs and test/ have none that includes them, so it is said here once for all.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    // Two cores are what a small machine and a hosted runner have. Two workers more than cores: stories mostly wait.
    maxWorkers: Math.min(4, 2 + availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // Files share their worker's modules, for a process and its imports cost more than most files. So what a file changes
    // of the process (an environment variable, a clock) it must put back.
    isolate: false,
    setupFiles: ['test/support/property-seed.ts', 'test/support/time-of-file.setup.ts'],
    reporters: [
      'default',
      ...(process.env.GITHUB_ACTIONS ? ['github-actions'] : []),
      './test/support/time-reporter.ts',
    ],
    projects: [
      // Some unit tests start a real store; on a busy machine that takes a while and is no failure.
      {
        extends: true,
        test: { name: 'unit', include: unit, exclude, testTimeout: 60_000, hookTimeout: 60_000 },
      },
      // A database of its own for each file, in one PostgreSQL; they may run beside one another. The limits end what hangs: a
      // machine with much else to do takes many times as long as an idle one.
      {
        extends: true,
        test: {
          name: 'stores',
          include: ['test/stores/**/*.spec.ts'],
          globalSetup: 'test/stores/postgres.setup.ts',
          exclude,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.spec.ts'],
          globalSetup: 'test/e2e/shared-stack.setup.ts',
          exclude,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
