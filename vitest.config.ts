import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const unit = [
  'libs/**/src/**/*.spec.ts',
  'apps/**/src/**/*.spec.ts',
  'apps/cli/bin/**/*.spec.mjs',
  'test/architecture/**/*.spec.ts',
  'test/bench/**/*.spec.ts',
];
const exclude = ['**/node_modules/**', '**/dist/**', '**/generated/**', '**/.muster/**'];

export default defineConfig({
  // Nest injects by the types that decorators leave behind. Vite would take this from the nearest tsconfig.json, but
  // specs and test/ have none that includes them, so it is said here once for all.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    // Two cores are what a small machine and a hosted runner have; more workers only wait for each other.
    maxWorkers: Math.min(2, availableParallelism()),
    projects: [
      // Some unit tests start a real store; on a busy machine that takes a while and is no failure.
      {
        extends: true,
        test: { name: 'unit', include: unit, exclude, testTimeout: 60_000, hookTimeout: 60_000 },
      },
      // A store of its own for each file; they may run beside one another.
      {
        extends: true,
        test: {
          name: 'stores',
          include: ['test/stores/**/*.spec.ts'],
          exclude,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.spec.ts'],
          exclude,
          // Each file starts the whole of Muster: two at once measure the machine, not the program.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
