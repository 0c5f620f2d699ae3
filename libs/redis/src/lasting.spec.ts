import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { keepConnected, stuckAfterMs, stuckClients } from './lasting.js';

/** A client of ioredis, as far as it is told here. */
class Client extends EventEmitter {
  status = 'connecting';
  attempts = 0;

  connect(): Promise<void> {
    this.attempts++;
    return Promise.resolve();
  }

  disconnect(): void {
    if (this.status === 'reconnecting') return;
    this.tell('end');
  }

  async quit(): Promise<'OK'> {
    this.tell('end');
    return 'OK';
  }

  tell(status: 'ready' | 'end'): void {
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
