import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../support/stack.js';

/** Waits until every match is over and all that follows is sent, or the time is up: then the verdict will say what is not. */
export async function settle(stack: Stack, ms: number): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until) {
    const { matches } = await stack.operator.matches({ limit: 500 }).catch(() => ({ matches: null }));
    const closed = matches?.every((match) => ['rated', 'abandoned', 'void'].includes(match.state));
    if (closed) break;
    await sleep(500);
  }
  // The last news still has to reach its tickets.
  await sleep(2_000);
}
