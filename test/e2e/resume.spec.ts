import { PlayerClient, type TicketNewsItem } from '@muster/sdk';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CuttableProxy } from '../support/cuttable-proxy.js';
import { readStream, type WireEvent } from '../support/event-stream.js';
import { GameServer } from '../support/game-server.js';
import { ask, problemOf } from '../support/http.js';
import { duel, queueUp, type Queued } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

const build = 'resume-1';

let stack: Stack;
let server: GameServer;

beforeAll(async () => {
  stack = await sharedStack();
  server = await GameServer.start(stack, { serverId: 'resume-server', build, slots: 50 });
});
afterAll(() => server?.stop());

async function proxyBefore(url: string, bytesOf?: (n: number) => number | undefined): Promise<CuttableProxy> {
  const proxy = await CuttableProxy.start(url, bytesOf);
  onTestFinished(() => proxy.stop());
  return proxy;
}

/** A match from queue to rating. @returns its first ticket, which is closed */
async function played(name: string): Promise<Queued> {
  const [one] = await duel(stack, build, [`${name}-1`, `${name}-2`]);
  await server.report((await one.assigned()).sessionId, { winner: 0 });
  await one.closed();
  return one;
}

/** The events without fields that differ at every read. */
const plain = (events: readonly WireEvent[]): unknown[] =>
  events.map(({ id, data: { assignment: _assignment, ...data } }) => ({ id, data }));

const counting = (upTo: number): number[] => Array.from({ length: upTo }, (_, i) => i + 1);

describe('a stream that is cut', () => {
  it('resumes after the client’s last event: none twice, none missing', async () => {
    const [one, two] = await duel(stack, build, ['cut-1', 'cut-2']);
    const token = await stack.token('cut-1');
    const proxy = await proxyBefore(stack.url);
    const got: WireEvent[] = [];
    let reported = false;
    while (got.at(-1)?.data['closed'] !== true) {
      const { status, events } = await readStream(proxy.url, one.ticketId, token, got.at(-1)?.id, () => {
        proxy.cut();
        return true;
      });
      expect(status).toBe(200);
      expect(events).toHaveLength(1);
      got.push(...events);
      if (events[0]?.data['state'] === 'assigned' && !reported) {
        reported = true;
        // The rest of the events happens while the client is disconnected.
        await server.report((await two.assigned()).sessionId, { winner: 1 });
        await two.closed();
      }
    }

    const whole = await readStream(stack.url, one.ticketId, token, undefined);
    expect(whole.ended).toBe('by the server');
    expect(plain(got)).toEqual(plain(whole.events));
    expect(got.map((event) => Number(event.id))).toEqual(counting(got.length));
    expect(got.map((event) => event.data['state'])).toEqual([
      'waiting',
      'proposed',
      'placing',
      'assigned',
      'assigned',
    ]);
  });

  it('loses no event wherever it is cut, also within one', async () => {
    const one = await played('mid');
    const token = await stack.token('mid-1');
    const whole = await readStream(stack.url, one.ticketId, token, undefined);
    // Varying lengths cut at different positions; a connection without a whole event is followed by a longer one.
    let allow = 300;
    const proxy = await proxyBefore(stack.url, () => allow);
    const got: WireEvent[] = [];
    let cuts = 0;
    while (got.at(-1)?.data['closed'] !== true) {
      const heard = await readStream(proxy.url, one.ticketId, token, got.at(-1)?.id);
      got.push(...heard.events);
      if (heard.ended === 'cut') cuts++;
      allow += heard.events.length === 0 ? 97 : -41;
    }

    expect(cuts).toBeGreaterThan(3);
    expect(plain(got)).toEqual(plain(whole.events));
  });

  it('sends each of many clients exactly the events it missed', async () => {
    const one = await played('many');
    const token = await stack.token('many-1');
    const { events } = await readStream(stack.url, one.ticketId, token, undefined);
    for (const after of counting(events.length - 1)) {
      const rest = await readStream(stack.url, one.ticketId, token, String(after));
      expect(rest.ended).toBe('by the server');
      expect(plain(rest.events)).toEqual(plain(events.slice(after)));
    }
  });

  it('is 204 for a client that has the closing event', async () => {
    const one = await played('all');
    const { seq } = await one.read();
    const heard = await readStream(stack.url, one.ticketId, await stack.token('all-1'), String(seq));

    // 204 stops a browser's EventSource from reconnecting.
    expect(heard).toEqual({ status: 204, events: [], ended: 'by the server' });
    const story: TicketNewsItem[] = [];
    for await (const news of one.leader.follow(one.ticketId, { after: seq })) story.push(news);
    expect(story).toEqual([]);
  });
});

describe('the SDK behind a network that cuts every 300 ms', () => {
  it('yields the whole life of a match, in order, without gap or repeat', async () => {
    const proxy = await proxyBefore(stack.url);
    proxy.cutEvery(300);
    const someCuts = async (): Promise<unknown> => proxy.cuts.many(proxy.cuts.all.length + 4);
    const client = new PlayerClient({ url: proxy.url, token: await stack.token('shaky-1') });
    const { ticketId } = await client.enqueue({ queue: '1v1', build });
    const news: TicketNewsItem[] = [];
    const following = (async () => {
      for await (const item of client.follow(ticketId)) news.push(item);
    })();
    server.decide = () => 'silent';
    await someCuts();
    const other = await queueUp(stack, ['shaky-2'], { queue: '1v1', build });
    const asked = await server.asked.first(({ order }) => order.teams.flat().includes('shaky-1'));
    await someCuts();
    server.answerLate(asked.sessionId);
    server.decide = () => 'accept';
    await other.assigned();
    await someCuts();
    await server.report(asked.sessionId, { winner: null });
    await following;

    expect(news.map((item) => item.seq)).toEqual(counting(news.length));
    expect(news.map((item) => item.state)).toEqual([
      'waiting',
      'proposed',
      'placing',
      'assigned',
      'assigned',
    ]);
    expect(news.at(-1)).toMatchObject({ closed: true, matchState: 'rated' });
    expect(news.filter((item) => item.closed)).toHaveLength(1);
    expect(proxy.cuts.all.filter((hit) => hit > 0).length).toBeGreaterThan(5);
  });
});

describe('Last-Event-ID', () => {
  let one: Queued;
  beforeAll(async () => {
    one = await queueUp(stack, ['id-1'], { queue: '1v1', build: 'ids' });
  });

  it.each(['one', '-1', '1.5', '1e3', '0x2', 'NaN', 'Infinity', '9'.repeat(40), '1 2', '💥'])(
    'that is invalid is rejected: %s',
    async (id) => {
      const answer = await ask(stack.url, `/v1/tickets/${one.ticketId}/events`, {
        token: await stack.token('id-1'),
        headers: { 'last-event-id': Buffer.from(id).toString('latin1') },
      });
      expect(problemOf(answer)).toMatchObject({ status: 400, code: 'invalid-request' });
    },
  );
});
