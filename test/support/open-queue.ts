import type { QueueRules } from '@muster/domain';
import type { Stack } from './stack.js';

const anything = [{ afterSeconds: 0, limit: null }];

/** Rules of a queue for a test: one against one, without limits and without calibration. */
export const openRules = (name: string, over: Partial<QueueRules> = {}): QueueRules => ({
  name,
  mode: 'duel',
  pool: 'duel',
  teams: 2,
  teamSize: 1,
  maxPartySize: 1,
  skillWindow: anything,
  teamGap: anything,
  latencyLimitMs: anything,
  ticketTtlSeconds: 600,
  placementTimeoutSeconds: 300,
  ...over,
});

/** Creates a queue with {@link openRules}. @returns its name */
export async function openQueue(stack: Stack, name: string, over: Partial<QueueRules>): Promise<string> {
  await stack.operator.applyRules(name, { rules: openRules(name, over) });
  return name;
}
