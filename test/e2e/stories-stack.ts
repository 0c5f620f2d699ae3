import { freePort } from '@muster/embedded';
import { defaultQueues } from '@muster/matchmaking';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from '../support/stack.js';
import { ownStack } from './shared-stack.js';

const anybody = [{ afterSeconds: 0, limit: null }];

/** Settings that no two stories want different. */
const settings = {
  // A server leaves a command unanswered for as long as the table of bad requests takes.
  ANSWER_MS: '120000',
  SILENCE_MS: '600000',
  RECALIBRATE_MS: '500',
  REBUILD_LEASE_MS: '2000',
  // Of this build alone: the hook is called only while its story listens.
  SCALE_OUT_BUILDS: 'spare-build',
  SCALE_OUT_SECONDS: '1',
  SCALE_OUT_START_SECONDS: '600',
  SPARE_SLOTS: '*=3',
  DATA_REQUESTS: 'both',
  // One player makes hundreds of bad requests.
  RATE_LIMITS: 'off',
};

let hookPort = 0;
let folder: string | undefined;
let started: Promise<Stack> | undefined;

async function start(): Promise<Stack> {
  folder = await mkdtemp(join(tmpdir(), 'muster-stories-'));
  const file = join(folder, 'queues.json');
  const queues = defaultQueues.map((rules) =>
    rules.name === '1v1'
      ? { ...rules, skillWindow: anybody, teamGap: anybody, calibrationMatches: 3 }
      : rules,
  );
  await writeFile(file, JSON.stringify(queues));
  hookPort = await freePort();
  const SCALE_OUT_URL = `http://127.0.0.1:${hookPort}/scale`;
  return ownStack([], { ...settings, SCALE_OUT_URL, QUEUES_FILE: file });
}

/** The system that the stories of stories.spec.ts use one after the other; the first starts it. */
export function storiesStack(): Promise<Stack> {
  started ??= start();
  return started;
}

/** The port that the system calls for servers of `spare-build`. */
export const storiesHookPort = (): number => hookPort;

export async function stopStoriesStack(): Promise<void> {
  const stack = await started?.catch(() => undefined);
  started = undefined;
  await stack?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
}
