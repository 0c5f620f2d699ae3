import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createDb } from '../client.js';
import { readAddress } from './address.js';
import { connectToOne } from './servers.js';

/** ErrorResponse of a server that refuses a password. */
const fields = 'SFATAL\0C28P01\0Mno such password\0\0';
const refusal = Buffer.alloc(5 + fields.length, fields);
refusal.write('E');
refusal.writeInt32BE(4 + fields.length, 1);
refusal.write(fields, 5);

/** The address of a server that keeps its connections open, and answers only so. */
async function serverThat(answers: (socket: Socket) => void): Promise<string> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    onTestFinished(() => void socket.destroy());
    socket.on('data', () => answers(socket));
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return `postgresql://u:p@127.0.0.1:${port}/db`;
}

it('says that a server refuses, also if that keeps the connection open', async () => {
  const address = readAddress(await serverThat((socket) => socket.write(refusal)));
  await expect(connectToOne(address, { connectionTimeoutMillis: 1_000 })).rejects.toThrow('no such password');
});

it('waits for a slow server as long as it is told to, and by default for five seconds', async () => {
  const url = await serverThat((socket) => void setTimeout(() => socket.write(refusal), 5_500));
  const outcomes = [100, undefined, 20_000].map(async (connectMs) => {
    const db = createDb(url, connectMs === undefined ? {} : { connectMs });
    return db.$sql.$queryRaw`SELECT 1`.catch(String);
  });
  expect(await Promise.all(outcomes)).toEqual([
    expect.stringContaining('timeout'),
    expect.stringContaining('timeout'),
    expect.stringContaining('no such password'),
  ]);
});
