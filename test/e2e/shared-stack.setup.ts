import type { QueueRules } from '@muster/domain';
import { freePort } from '@muster/embedded';
import { defaultQueues } from '@muster/matchmaking';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { auditedToTheEnd } from '../support/audited.js';
import { migratedDatabase } from '../support/database.js';
import { Stack } from '../support/stack.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The data directory of the shared system. */
    sharedStack: string;
    /** The scale-out hook's port, and the interval of its calls per build and region. */
    scaleOut: { readonly port: number; readonly everySeconds: number };
  }
}

function rulesOf(name: string): QueueRules {
  const rules = defaultQueues.find((queue) => queue.name === name);
  if (!rules) throw new Error(`there is no queue ${name}`);
  return rules;
}

/** Tickets live for a second, in which no window widens. */
function brief(rules: QueueRules): QueueRules {
  const { skillWindow, teamGap, latencyLimitMs } = rules;
  return {
    ...rules,
    name: 'brief',
    ticketTtlSeconds: 1,
    skillWindow: skillWindow.slice(0, 1),
    teamGap: teamGap.slice(0, 1),
    latencyLimitMs: latencyLimitMs.slice(0, 1),
  };
}

const pairs = (rules: QueueRules): QueueRules => ({ ...rules, name: 'pairs', maxPartySize: 2 });

const scaleOutSeconds = 2;
/** The hook is called for these builds only; it answers only while a test listens. */
const scaleOutSettings = (port: number): Record<string, string> => ({
  SCALE_OUT_URL: `http://127.0.0.1:${port}/scale`,
  SCALE_OUT_TOKEN: 'scale-secret',
  SCALE_OUT_BUILDS: 'scale-starts,scale-fails,scale-silent',
  SCALE_OUT_SECONDS: String(scaleOutSeconds),
  SCALE_OUT_TIMEOUT_MS: '1000',
});

/**
 * Starts the system of `sharedStack()`, with a database in the PostgreSQL of the store tests: loading its services takes some
 * ten seconds of processor time.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const rulesDir = await mkdtemp(join(tmpdir(), 'muster-rules-'));
  const file = join(rulesDir, 'queues.json');
  await writeFile(file, JSON.stringify([...defaultQueues, brief(rulesOf('1v1')), pairs(rulesOf('5v5'))]));
  const scaleOutPort = await freePort();
  const stack = await Stack.start(['--tcp-port', '0'], {
    beforeEnd: auditedToTheEnd,
    env: {
      DATABASE_URL: await migratedDatabase(project.getProvidedContext().postgresUrl),
      QUEUES_FILE: file,
      // A server may leave a command unanswered for long, because a test may cut its connection many times.
      ANSWER_MS: '60000',
      CORS_ORIGINS: 'https://play.example',
      ...scaleOutSettings(scaleOutPort),
    },
  });
  project.provide('sharedStack', stack.dataDir);
  project.provide('scaleOut', { port: scaleOutPort, everySeconds: scaleOutSeconds });
  return async () => {
    await stack.stop().finally(() => rm(rulesDir, { recursive: true, force: true }));
  };
}
