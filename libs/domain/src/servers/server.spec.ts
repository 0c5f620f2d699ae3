import { expect, it } from 'vitest';
import { isSilent, type ServerState } from './server.js';

it.each<[string, ServerState, number, number, boolean]>([
  ['one that was heard within the limit', 'ready', 9_999, 60_000, false],
  ['one that was not', 'ready', 10_000, 60_000, true],
  ['one that drains', 'draining', 10_000, 60_000, true],
  ['one while the allocators could not hear', 'ready', 60_000, 9_999, false],
  ['one that is lost', 'lost', 60_000, 60_000, false],
  ['one that has left', 'left', 60_000, 60_000, false],
])('%s is silent or not', (_what, state, agoMs, hearingMs, expected) => {
  const now = 1_700_000_000_000;
  expect(isSilent({ state, heartbeatAt: now - agoMs }, 10_000, hearingMs, now)).toBe(expected);
});
