import { expect, it } from 'vitest';
import { rowOf } from './servers.js';

it('a server that is ready and silent shows so, and when it was last heard', () => {
  const heartbeatAt = Date.UTC(2026, 10, 26, 18, 4, 9);
  const ready = {
    serverId: 'eu-1',
    state: 'ready',
    slotsInUse: 1,
    slots: 4,
    region: 'eu',
    build: '1.4',
  } as const;
  const none = { host: 'h', port: 7_777, labels: {}, cpuLoad: 0, tickLoad: null, overloaded: false };
  const row = (silent: boolean) => rowOf({ ...ready, ...none, heartbeatAt, silent });
  expect(row(true)).toEqual(['eu-1', 'ready, silent', '2026-11-26 18:04:09', '1', '4', 'eu', '1.4']);
  expect(row(false)[1]).toBe('ready');
});
