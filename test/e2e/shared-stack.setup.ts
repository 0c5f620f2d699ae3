import type { QueueRules } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { Stack } from '../support/stack.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The data directory of the system that several files share. */
    sharedStack: string;
  }
}

function rulesOf(name: string): QueueRules {
  const rules = defaultQueues.find((queue) => queue.name === name);
  if (!rules) throw new Error(`there is no queue ${name}`);
  return rules;
}

/** Tickets live for a second, in which nothing widens. */
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

/** Starts the system that `sharedStack()` finds: its services take some ten seconds of a processor to load. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const rulesDir = await mkdtemp(join(tmpdir(), 'muster-rules-'));
  const file = join(rulesDir, 'queues.json');
  await writeFile(file, JSON.stringify([...defaultQueues, brief(rulesOf('1v1')), pairs(rulesOf('5v5'))]));
  // A server may leave a command unanswered for long: a test may cut its line many times meanwhile.
  const stack = await Stack.start([], {
    env: { QUEUES_FILE: file, ANSWER_MS: '60000', CORS_ORIGINS: 'https://play.example' },
  });
  project.provide('sharedStack', stack.dataDir);
  return async () => {
    await stack.stop();
    await rm(rulesDir, { recursive: true, force: true });
  };
}
