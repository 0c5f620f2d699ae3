import { JobSender } from '@muster/platform';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { Stack } from '../stack.js';
import { Cast, type Sdk } from './cast.js';
import { dumpDatabase } from './dump-database.js';
import { leaveOpen } from './leave-open.js';
import { Recorder, type KnownEndpoint } from './recorder.js';
import { releasesDir, type Release } from './release.js';
import { deadLetterJobs, playAll } from './stories.js';

/**
 * Records a release, so that later ones can be tested against its clients' requests and its database.
 *
 * npm run record -- --checkout ../muster-0.1.0
 *
 * The checkout must be built. Its `muster up` is started, its SDK plays the stories, and requests, shapes of answers
 * and the database are written to `test/e2e/compat/<version>`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { checkout: { type: 'string' }, out: { type: 'string' } } });
  if (values.checkout === undefined)
    throw new Error('say which release: --checkout <directory of a built checkout>');
  const checkout = resolve(values.checkout);
  const manifest = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as Manifest;
  const program = /^node (\S+)$/.exec(manifest.scripts.muster)?.[1];
  if (program === undefined) throw new Error(`${checkout} has no script "muster" that runs a program`);
  const library = (name: string): Promise<unknown> =>
    import(pathToFileURL(join(checkout, 'libs', name, 'dist/index.js')).href);
  const sdk = (await library('sdk')) as Sdk;
  const { endpoints } = (await library('contracts')) as { endpoints: Record<string, KnownEndpoint> };
  const out = resolve(values.out ?? join(releasesDir, manifest.version));
  await mkdir(out, { recursive: true });

  const stack = await Stack.start([], {
    program: join(checkout, program),
    // No hook listens there: the shortage is recorded and has no effect.
    env: { ANSWER_MS: '60000', SCALE_OUT_URL: 'http://127.0.0.1:9/' },
  });
  const sender = new JobSender(stack.run.redisUrl, 'default', pino({ level: 'silent' }));
  try {
    await sender.send('form-teams', deadLetterJobs);
    const recorder = new Recorder(stack.url, endpoints);
    const cast = new Cast(sdk, stack, recorder);
    recorder.begin();
    const host = await playAll(cast);
    await host.client.drain();
    await host.client.stop();
    recorder.end();
    const calls = recorder.calls();
    await writeFile(join(out, 'requests.jsonl'), calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
    await leaveOpen(cast, async (left) => {
      await writeFile(join(out, 'database.sql'), await dumpDatabase(stack.run.databaseUrl));
      const { version } = manifest;
      const release: Release = { version, lastMigration: await lastMigration(checkout), left };
      await writeFile(join(out, 'release.json'), `${JSON.stringify(release, null, 2)}\n`);
    });
    process.stdout.write(`${calls.length} requests of ${manifest.version} are in ${out}\n`);
  } finally {
    await sender.close();
    await stack.stop();
  }
}

interface Manifest {
  readonly version: string;
  readonly scripts: { readonly muster: string };
}

async function lastMigration(checkout: string): Promise<string> {
  const entries = await readdir(join(checkout, 'prisma/migrations'), { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  return names.toSorted().at(-1) ?? '';
}

// Streams left open by the SDK would keep this process alive.
await main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
