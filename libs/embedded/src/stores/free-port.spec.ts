import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { freePort } from './free-port.js';

it('gives the preferred port when it is free, and another one when it is taken', async () => {
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
