import { mergeConfig } from 'vitest/config';
import all from '../../vitest.config.js';

/** `npm run test:redis`: tests that start Sentinel and Cluster, which `npm test` leaves out. */
const { test, ...others } = all({ command: 'serve', mode: 'test' });
const { projects: _projects, ...shared } = test ?? {};
export default mergeConfig(
  { ...others, test: shared },
  {
    test: {
      name: 'redis',
      include: ['test/redis/**/*.spec.ts'],
      testTimeout: 180_000,
      hookTimeout: 180_000,
      // Fail-overs have time limits: not more servers at once than processors.
      maxWorkers: 1,
    },
  },
);
