import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { keepConnected, stuckAfterMs, stuckClients } from './lasting.js';

/** A client of ioredis, as far as it is told here. */
class Client extends EventEmitter {
  status = 'connecting';
  attempts = 0;
  /** What an attempt to connect returns. */
  attempt: Promise<void> = Promise.resolve();
  endsWhenTold = true;

  connect(): Promise<void> {
    this.attempts++;
    return this.attempt;
  }

  disconnect(): void {
    if (this.status === 'reconnecting') return;
    if (this.endsWhenTold) this.tell('end');
    else this.status = 'disconnecting';
  }

  async quit(): Promise<'OK'> {
    this.tell('end');
    return 'OK';
  }

  tell(status: 'ready' | 'close' | 'end'): void {
    this.status = status;
    this.emit(status);
  }
}

function kept(name: string): Client {
  const client = new Client();
  keepConnected(client, name, () => 0);
  return client;
}

it('a client that ended is connected again, unless its owner closed it', async () => {
  const [ended, closed, left] = [kept('ended'), kept('closed'), kept('left')];
  ended.tell('end');
  closed.disconnect();
  await left.quit();
  await vi.waitFor(() => expect(ended.attempts).toBe(1));
  expect([closed.attempts, left.attempts]).toEqual([0, 0]);
  // One attempt that ends leads to the next.
  ended.tell('end');
  await vi.waitFor(() => expect(ended.attempts).toBe(2));
  ended.disconnect();
});

it('a client that is closed between two attempts tells its end', async () => {
  const client = kept('between');
  client.status = 'reconnecting';
  const ended = new Promise((resolve) => client.once('end', resolve));
  client.disconnect();
  await ended;
  expect(client).toMatchObject({ status: 'end', attempts: 0 });
});

it('a client that does not come back while another does is stuck', () => {
  const [first, second] = [kept('first'), kept('second')];
  const later = performance.now() + stuckAfterMs + 1_000;
  // Redis itself is away.
  expect(stuckClients(later)).toEqual([]);
  first.tell('ready');
  expect(stuckClients()).toEqual([]);
  expect(stuckClients(later)).toEqual(['second']);
  second.disconnect();
  expect(stuckClients(later)).toEqual([]);
  first.disconnect();
});

it('a client that was told to disconnect and does not end is stuck', () => {
  const [other, silent] = [kept('other'), kept('silent')];
  for (const client of [other, silent]) client.tell('ready');
  silent.endsWhenTold = false;
  silent.disconnect();
  const later = performance.now() + stuckAfterMs + 1_000;
  expect(stuckClients()).toEqual([]);
  expect(stuckClients(later)).toEqual(['silent']);
  silent.tell('end');
  expect([stuckClients(later), silent.attempts]).toEqual([[], 0]);
  // Its owner connects it again, and the attempt does not end.
  silent.attempt = new Promise(() => undefined);
  silent.connect().catch(() => undefined);
  expect(stuckClients(performance.now() + stuckAfterMs + 1_000)).toEqual(['silent']);
  silent.endsWhenTold = true;
  for (const client of [other, silent]) client.disconnect();
});

it('a client that has ended already is closed at once', async () => {
  const [other, ended] = [kept('other'), kept('ended')];
  other.tell('ready');
  ended.tell('end');
  ended.endsWhenTold = false;
  ended.disconnect();
  expect(stuckClients(performance.now() + stuckAfterMs + 1_000)).toEqual([]);
  other.disconnect();
});

it('an attempt to connect that ioredis forgets is refused when the client closes', async () => {
  const client = kept('forgotten');
  client.attempt = new Promise(() => undefined);
  const attempt = client.connect();
  client.tell('close');
  await expect(attempt).rejects.toThrow('Connection is closed.');
  expect(client.listenerCount('close')).toBe(1);
  client.attempt = Promise.resolve();
  // ioredis does not go on by itself.
  await vi.waitFor(() => expect(client.attempts).toBe(2));
  client.disconnect();
});

it('the reason of a refused attempt is told', async () => {
  const client = kept('refused');
  client.attempt = Promise.reject(new Error('None of startup nodes is available'));
  const attempt = client.connect();
  client.tell('close');
  await expect(attempt).rejects.toThrow('None of startup nodes is available');
  client.attempt = Promise.resolve();
  client.disconnect();
});
