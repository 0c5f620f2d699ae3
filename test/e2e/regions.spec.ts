import type { TicketView } from '@muster/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GameServer } from '../support/game-server.js';
import { until } from '../support/gate.js';
import { openQueue } from '../support/open-queue.js';
import { queueUp, type Queued } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

const build = 'two-regions';
/** Players play in the first two. The third has no players: it would be selected if it were near enough. */
const regions = ['east', 'west', 'north'] as const;
type Region = (typeof regions)[number];

const otherThan = { east: 'west', west: 'east' } as const;
const serverIn = (region: Region): string => `two-regions-${region}`;

let stack: Stack;
const servers = new Map<Region, GameServer>();

beforeAll(async () => {
  stack = await sharedStack();
  for (const region of regions)
    servers.set(
      region,
      await GameServer.start(stack, { serverId: serverIn(region), build, region, slots: 50 }),
    );
  const queue = await openQueue(stack, 'two-regions-busy', {});
  for (const region of ['east', 'west'] as const) {
    const request = { queue, build, latencyMs: { [region]: 20 } };
    const [one] = await Promise.all([1, 2].map((i) => queueUp(stack, [`busy-${region}-${i}`], request)));
    await one?.assigned();
  }
});
afterAll(async () => {
  for (const server of servers.values()) await server.stop();
});

const sessionsIn = (region: Region): number => servers.get(region)?.asked.all.length ?? 0;

/** A waiting ticket with its explanation, once the matcher has evaluated it. */
async function waits(ticket: Queued): Promise<TicketView & Required<Pick<TicketView, 'waiting'>>> {
  await until(async () => (await ticket.read()).waiting !== undefined);
  const { waiting, ...view } = await ticket.read();
  if (view.state !== 'waiting' || !waiting) throw new Error(`it does not wait: ${view.reason}`);
  return { ...view, waiting };
}

/** The players of a match, whether or not their tickets were updated yet. */
const playersOf = async (matchId: string): Promise<string[]> =>
  (await stack.operator.match(matchId)).players.map(({ playerId }) => playerId).toSorted();

describe('two regions', () => {
  it('play separately; a player near to both plays in either, and no player in a far one', async () => {
    // No limit widens while this runs.
    const queue = await openQueue(stack, 'two-regions-apart', {
      teamSize: 2,
      latencyLimitMs: [
        { afterSeconds: 0, limit: 60 },
        { afterSeconds: 200, limit: 60 },
        { afterSeconds: 300, limit: 160 },
      ],
    });
    const latencyMs = {
      east: { east: 20, west: 110 },
      west: { east: 110, west: 20 },
      both: { east: 40, west: 40 },
    };
    const one = (near: keyof typeof latencyMs, i: number): Promise<Queued> =>
      queueUp(stack, [`apart-${near}-${i}`], { queue, build, latencyMs: latencyMs[near] });
    const nearOne = {
      east: [await one('east', 1), await one('east', 2)],
      west: [await one('west', 1), await one('west', 2)],
    };
    // Enough for a match if all of them had one region.
    for (const near of ['east', 'west'] as const)
      for (const ticket of nearOne[near]) {
        const { waiting } = await waits(ticket);
        expect(waiting).toMatchObject({
          rule: 'regions',
          why: expect.stringMatching(
            `^Enough players wait, but 2 of 4 in regions that are near enough to you\\. ${otherThan[near]} will be in 2\\d\\d s\\.$`,
          ),
        });
        // 110 ms are half way from 60 to 160, which is half way from 200 to 300 s.
        expect(waiting.widensInSeconds).toBeLessThanOrEqual(250);
        expect(waiting.widensInSeconds).toBeGreaterThan(200);
      }
    const third = await one('both', 1);
    expect((await waits(third)).waiting).toMatchObject({
      rule: 'regions',
      why: 'Enough players wait, but 3 of 4 in regions that are near enough to you.',
      widensInSeconds: null,
    });

    const fourth = await one('both', 2);
    const { matchId, region: here, serverId } = await fourth.assigned();
    if (here !== 'east' && here !== 'west') throw new Error(`nobody is near to ${here}`);
    expect(serverId).toBe(serverIn(here));
    expect(await playersOf(matchId)).toEqual(
      ['apart-both-1', 'apart-both-2', `apart-${here}-1`, `apart-${here}-2`].toSorted(),
    );
    expect((await third.assigned()).matchId).toBe(matchId);

    const there = otherThan[here];
    for (const ticket of nearOne[there])
      expect((await waits(ticket)).waiting).toMatchObject({
        rule: 'players',
        why: `2 of 4 players are here (build ${build}): 2 more must queue.`,
        widensInSeconds: null,
      });
    await one(there, 3);
    const last = await one('both', 3);
    const second = await last.assigned();
    expect(second).toMatchObject({ region: there, serverId: serverIn(there) });
    expect(await playersOf(second.matchId)).toEqual(
      ['apart-both-3', `apart-${there}-1`, `apart-${there}-2`, `apart-${there}-3`].toSorted(),
    );
    expect(regions.map(sessionsIn)).toEqual([2, 2, 0]);
  });

  it.concurrent(
    'meet once the limit of one has widened enough, in the region within both limits',
    async () => {
      const queue = await openQueue(stack, 'two-regions-widen', {
        latencyLimitMs: [
          { afterSeconds: 0, limit: 60 },
          { afterSeconds: 5, limit: 60 },
          { afterSeconds: 8, limit: 200 },
        ],
      });
      const one = (playerId: string, latencyMs: Partial<Record<Region, number>>): Promise<Queued> =>
        queueUp(stack, [playerId], { queue, build, latencyMs });
      // 130 ms are half way from 60 to 200; 400 ms are never allowed.
      const openMs = 6_500;
      const ann = await one('widen-ann', { east: 20, west: 130 });
      const ben = await one('widen-ben', { east: 400, west: 20 });
      const cat = await one('widen-cat', { east: 400, west: 400, north: 20 });

      const askedAt = Date.now();
      const { enqueuedAt, waiting } = await waits(ann);
      const answeredAt = Date.now();
      const none = 'Enough players wait, but 1 of 2 in regions that are near enough to you.';
      const { widensInSeconds } = waiting;
      expect(waiting).toMatchObject({
        rule: 'regions',
        why: `${none} west will be in ${widensInSeconds} s.`,
      });
      // Whole seconds, rounded up: never too early, and less than a second late.
      expect(answeredAt + (widensInSeconds ?? 0) * 1_000).toBeGreaterThanOrEqual(enqueuedAt + openMs);
      expect(askedAt + ((widensInSeconds ?? 0) - 1) * 1_000).toBeLessThan(enqueuedAt + openMs);
      for (const ticket of [ben, cat])
        expect((await waits(ticket)).waiting).toMatchObject({
          rule: 'regions',
          why: none,
          widensInSeconds: null,
        });

      const { matchId, region, serverId } = await ann.assigned();
      expect({ region, serverId }).toEqual({ region: 'west', serverId: serverIn('west') });
      expect(await playersOf(matchId)).toEqual(['widen-ann', 'widen-ben']);
      expect((await ben.assigned()).matchId).toBe(matchId);
      const { proposedAt } = await stack.operator.match(matchId);
      expect((proposedAt ?? 0) - enqueuedAt).toBeGreaterThanOrEqual(openMs);

      expect((await waits(cat)).waiting).toMatchObject({
        rule: 'players',
        why: `1 of 2 players are here (build ${build}): 1 more must queue.`,
      });
      await cat.leader.cancel(cat.ticketId);
      expect(sessionsIn('north')).toBe(0);
    },
  );

  it.concurrent(
    'a match of a region without servers goes to the next one once its players allow that',
    async () => {
      const elsewhere = 'region-without-servers';
      const server = await GameServer.start(stack, { serverId: elsewhere, build: elsewhere, region: 'east' });
      const queue = await openQueue(stack, elsewhere, {
        latencyLimitMs: [
          { afterSeconds: 0, limit: 60 },
          { afterSeconds: 5, limit: 60 },
          { afterSeconds: 6, limit: 160 },
        ],
      });
      const request = { queue, build: elsewhere, latencyMs: { mars: 20, east: 110 } };
      const one = await queueUp(stack, ['mars-ann'], request);
      await queueUp(stack, ['mars-ben'], request);

      const told = await one.until(
        ({ state, reason }) => state === 'placing' && reason.includes('no server'),
      );
      expect(told.reason).toMatch(
        /no server of build region-without-servers in mars has a free slot now; it is tried again and again\. east opens in [1-6] s\.$/,
      );
      const { matchId } = await one.assigned();
      const { region, serverWhy } = await stack.operator.match(matchId);
      expect(region).toBe('east');
      expect(serverWhy).toContain('the server in east (110 ms on average) was the least loaded one');
      await server.stop();
    },
  );
});
