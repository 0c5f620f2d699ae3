// `npm run test:pgbouncer`: runs the tests of the stores through PgBouncer in transaction mode. Installs PgBouncer by apt
// where it may; without it nothing is tested, and the run says so and fails.
import { spawnSync } from 'node:child_process';
import { startVitest } from 'vitest/node';

/** They make connections of their own, or look at statements that stay prepared: a pooler hides both. */
const notPooled = [
  'archive',
  'backup',
  'command-questions',
  'encrypted',
  'flat-cost',
  'half-open',
  'read-replica',
  'servers',
  'store-unavailable',
].map((name) => `test/stores/${name}.spec.ts`);

function isThere() {
  return spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status === 0;
}

if (!isThere() && process.getuid?.() === 0) {
  process.stdout.write('Installing pgbouncer by apt-get.\n');
  spawnSync('apt-get', ['update'], { stdio: 'ignore' });
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'pgbouncer'], { stdio: 'ignore' });
}
if (!isThere()) {
  process.stdout.write(
    'pgbouncer is not installed, and cannot be by this user: install it (apt-get install pgbouncer).\n',
  );
  process.stdout.write('0 passed, 1 failed\n');
  process.exit(1);
}
process.env['MUSTER_TEST_POOLER'] = '1';
const vitest = await startVitest('test', process.argv.slice(2), {
  project: ['stores'],
  exclude: notPooled,
  watch: false,
});
const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
const count = (state) => tests.filter((test) => test.result().state === state).length;
const broken = vitest.state.getTestModules().filter((module) => module.state() === 'failed').length;
await vitest.close();
const failed = Math.max(count('failed'), broken > 0 ? 1 : 0);
process.stdout.write(`${count('passed')} passed, ${failed} failed\n`);
process.exit(failed === 0 && count('passed') > 100 ? 0 : 1);
