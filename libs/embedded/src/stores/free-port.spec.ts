import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { freePort } from '../system/free-port.js';

it('returns the preferred port if it is free, else another one', async () => {
  const port = await freePort();
  expect(port).toBeGreaterThan(0);
  expect(await freePort(port)).toBe(port);

  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  try {
    const other = await freePort(port);
    expect(other).not.toBe(port);
    expect(other).toBeGreaterThan(0);
  } finally {
    server.close();
  }
});
