import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readAddress } from './address.js';
import { connectToOne } from './servers.js';

/** ErrorResponse of a server that refuses a password. */
const fields = 'SFATAL\0C28P01\0Mno such password\0\0';
const refusal = Buffer.alloc(5 + fields.length, fields);
refusal.write('E');
refusal.writeInt32BE(4 + fields.length, 1);
refusal.write(fields, 5);

it('says that a server refuses, also if that keeps the connection open', async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    onTestFinished(() => void socket.destroy());
    socket.on('data', () => socket.write(refusal));
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const address = readAddress(`postgresql://u:p@127.0.0.1:${port}/db`);
  await expect(connectToOne(address, { connectionTimeoutMillis: 1_000 })).rejects.toThrow('no such password');
});
