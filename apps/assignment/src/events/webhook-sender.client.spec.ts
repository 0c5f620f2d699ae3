import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ReceiverNetworks } from './receiver-networks.client.js';
import { networksIn } from '../networks.js';
import { WebhookSender, type SenderNeeds } from './webhook-sender.client.js';

const event = {
  id: 'evt_1',
  type: 'match.rated',
  version: 1,
  timestamp: '2027-03-01T18:30:00.000Z',
  data: {},
};
const here = new ReceiverNetworks(networksIn('127.0.0.0/8') ?? []);
const open: { close: () => unknown }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

function senderWith(over: Partial<SenderNeeds> = {}): WebhookSender {
  const sender = new WebhookSender({
    networks: here,
    timeoutMs: 5_000,
    now: () => 1_800_000_000_999,
    ...over,
  });
  open.push(sender);
  return sender;
}

async function receiver(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => (server.closeAllConnections(), server.close()) });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?of=us`, server };
}

const send = (sender: WebhookSender, url: string) => sender.send(url, ['whsec_c2VjcmV0'], event);

describe('a sender', () => {
  it('takes the status, and keeps the connection for the next event', async () => {
    const sockets = new Set<unknown>();
    const { url } = await receiver((request, response) => {
      sockets.add(request.socket);
      expect(request.headers).toMatchObject({ 'webhook-id': 'evt_1', 'webhook-timestamp': '1800000000' });
      response.writeHead(sockets.size === 0 ? 500 : 200).end('ok');
    });
    const sender = senderWith();
    const replies = [await send(sender, url), await send(sender, url)];
    expect(replies).toEqual([1, 2].map(() => ({ status: 200, error: null, retryAfterMs: null })));
    expect(sockets.size).toBe(1);
  });

  it('reads no endless response', async () => {
    let written = 0;
    const { url } = await receiver((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(4_096))) written += 4_096;
        if (!response.destroyed) response.once('drain', more);
      };
      response.writeHead(200);
      more();
    });
    expect(await send(senderWith(), url)).toMatchObject({ status: 200 });
    expect(written).toBeLessThan(50_000_000);
  });

  it('counts the status of a response that never ends, and waits for none that never begins', async () => {
    const drips = await receiver((_request, response) => void response.writeHead(202).write('.'));
    const silent = await receiver(() => undefined);
    const sender = senderWith({ timeoutMs: 300 });
    expect(await Promise.all([drips.url, silent.url].map((each) => send(sender, each)))).toMatchObject([
      { status: 202, error: null },
      { status: null, error: 'no answer: it took too long' },
    ]);
  });

  it('follows no redirect', async () => {
    let asked = 0;
    const inside = await receiver((_request, response) => {
      asked += 1;
      response.end();
    });
    const { url } = await receiver(
      (_request, response) => void response.writeHead(307, { location: inside.url }).end(),
    );
    expect(await send(senderWith(), url)).toMatchObject({ status: 307 });
    expect(asked).toBe(0);
  });

  it.each([
    ['120', 120_000],
    ['Fri, 15 Jan 2027 08:01:00 GMT', 59_001],
    ['Fri, 15 Jan 2021 08:01:00 GMT', null],
    ['soon', null],
  ])('reads Retry-After: %s', async (text, retryAfterMs) => {
    const { url } = await receiver(
      (_request, response) => void response.writeHead(503, { 'retry-after': text }).end(),
    );
    expect(await send(senderWith(), url)).toEqual({ status: 503, error: null, retryAfterMs });
  });

  it('reaches no inside address, also by a name that has one', async () => {
    let asked = 0;
    const { url } = await receiver((_request, response) => {
      asked += 1;
      response.end();
    });
    const port = new URL(url).port;
    const lookup = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const closed = senderWith({ networks: new ReceiverNetworks([]), lookup });
    const other = senderWith({ networks: new ReceiverNetworks(networksIn('10.0.0.0/8') ?? []), lookup });
    const refused = 'no answer: 127.0.0.1 is not public; WEBHOOK_NETWORKS can name its network';
    expect(await send(closed, `https://rebinds.example:${port}/`)).toMatchObject({
      status: null,
      error: refused,
    });
    expect(await send(other, `http://rebinds.example:${port}/`)).toMatchObject({
      status: null,
      error: refused,
    });
    expect((await send(closed, url)).error).toContain('the address 127.0.0.1 is not public');
    expect(asked).toBe(0);
    expect(await send(senderWith({ lookup }), `http://game.example:${port}/`)).toMatchObject({ status: 200 });
  });

  it('says why a name has no address, and looks a name up once at a time', async () => {
    let lookups = 0;
    let fail: (error: Error) => void = () => undefined;
    const lookup = () => {
      lookups += 1;
      return new Promise<never>((_resolve, reject) => (fail = reject));
    };
    const sender = senderWith({ lookup });
    const replies = [1, 2, 3].map(() => send(sender, 'http://nowhere.example/'));
    await expect.poll(() => lookups).toBe(1);
    fail(new Error('getaddrinfo ENOTFOUND nowhere.example'));
    for (const reply of await Promise.all(replies))
      expect(reply.error).toBe('no answer: getaddrinfo ENOTFOUND nowhere.example');
    expect(lookups).toBe(1);
    const late = senderWith({ lookup, timeoutMs: 200 });
    expect(await send(late, 'http://nowhere.example/')).toMatchObject({
      error: 'no answer: it took too long',
    });
  });
});
