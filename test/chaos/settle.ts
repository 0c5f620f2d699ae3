import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../support/stack.js';

/**
 * Waits until every match is over and its outbox entries are relayed, or until the time is up: then the audit reports
 * the rest.
 */
export async function settle(stack: Pick<Stack, 'operator'>, ms: number): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until) {
    const { matches } = await stack.operator.matches({ limit: 500 }).catch(() => ({ matches: null }));
    const closed = matches?.every((match) => ['rated', 'abandoned', 'void'].includes(match.state));
    if (closed) break;
    await sleep(500);
  }
  // The last updates still have to reach their tickets.
  await sleep(2_000);
}
