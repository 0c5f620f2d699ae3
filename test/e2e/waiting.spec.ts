import type { TicketView, WaitingFacts } from '@muster/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { GameServer } from '../support/game-server.js';
import { until } from '../support/gate.js';
import { ask, jsonOf } from '../support/http.js';
import { openQueue } from '../support/open-queue.js';
import { queueUp, type Queued } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

let stack: Stack;
beforeAll(async () => {
  stack = await sharedStack();
});

/** These builds have no server: only forming the match matters, and it is abandoned soon. */
const placementTimeoutSeconds = 1;

/** When a ticket's match was formed. */
async function matchedAt(ticket: Queued): Promise<number> {
  return (await ticket.until(({ state }) => state === 'proposed')).at;
}

describe('the explanation of a wait', () => {
  /** One reading, and the interval in which it was made. */
  interface Reading {
    readonly askedAt: number;
    readonly answeredAt: number;
    readonly waiting: WaitingFacts | undefined;
  }
  async function look(ticket: Queued): Promise<Reading> {
    const askedAt = Date.now();
    const { waiting } = await ticket.read();
    return { askedAt, answeredAt: Date.now(), waiting };
  }
  /** Whole seconds, rounded up, refer to a moment. */
  function expectWhen({ askedAt, answeredAt, waiting }: Reading, earliest: number, latest: number): void {
    const seconds = waiting?.widensInSeconds ?? NaN;
    expect(answeredAt + seconds * 1_000).toBeGreaterThanOrEqual(earliest);
    expect(askedAt + (seconds - 1) * 1_000).toBeLessThan(latest);
  }

  it('names missing players first, then distant skills, then uneven teams, and then nothing', async () => {
    const queue = await openQueue(stack, 'why-stages', {
      skillWindow: [
        { afterSeconds: 0, limit: 4 },
        { afterSeconds: 6, limit: 14 },
      ],
      teamGap: [
        { afterSeconds: 0, limit: 4 },
        { afterSeconds: 10, limit: 14 },
      ],
      placementTimeoutSeconds,
    });
    // Ten apart: six more than at the start, of the ten by which the limits grow.
    const [byWindowMs, byGapMs] = [3_600, 6_000];
    for (const [playerId, mu] of [['stages-ann', 20] as const, ['stages-ben', 30] as const])
      await stack.operator.setRating('duel', playerId, { mu, sigma: 1, reason: 'known well' });
    const build = 'why-stages';

    const ann = await queueUp(stack, ['stages-ann'], { queue, build });
    await until(async () => (await ann.read()).waiting !== undefined);
    const { enqueuedAt, waiting } = await ann.read();
    const text = '1 of 2 players are here (build why-stages): 1 more must queue.';
    const here = { here: 1, seats: 2, missing: 1, build: 'why-stages', meets: 'all', platforms: [] };
    expect(waiting).toEqual({
      rule: 'players',
      why: text,
      whyMessages: [{ code: 'waiting.players', params: here, text }],
      widensInSeconds: null,
      estimate: null,
    });

    const ben = await queueUp(stack, ['stages-ben'], { queue, build });
    // A match is formed when its tickets have waited long enough on average.
    const laterMs = ((await ben.read()).enqueuedAt - enqueuedAt) / 2;
    const readings: Reading[] = [];
    for (let reading = await look(ann); reading.waiting; reading = await look(ann)) {
      readings.push(reading);
      await sleep(50);
    }
    const rules = readings.map((reading) => reading.waiting?.rule);
    expect(rules.filter((rule, i) => rule !== rules[i - 1]).join()).toMatch(/^skill,teams(,none)?$/);
    const during = (stage: string): Reading[] => readings.filter((_, i) => rules[i] === stage);

    const windows = during('skill').map((reading) => {
      const { why = '', widensInSeconds } = reading.waiting ?? {};
      const said =
        /^Enough players wait, but the 2 nearest are up to 10\.0 apart and the window is (\d+\.\d); it will in (\d+) s\.$/.exec(
          why,
        );
      expect(Number(said?.[2])).toBe(widensInSeconds);
      expectWhen(reading, enqueuedAt + byWindowMs, enqueuedAt + byWindowMs + laterMs);
      return Number(said?.[1]);
    });
    expect(windows.every((window) => window < 10)).toBe(true);
    expect(windows).toEqual(windows.toSorted((a, b) => a - b));
    expect(windows[0]).toBeGreaterThanOrEqual(4);
    expect(windows.at(-1)).toBeGreaterThan(windows[0] ?? NaN);

    for (const reading of during('teams')) {
      expect(reading.answeredAt).toBeGreaterThanOrEqual(enqueuedAt + byWindowMs);
      expect(reading.waiting?.why).toMatch(
        /^A match is at hand and is held back for a more even one: its teams would differ by 10\.0, and \d\.\d is allowed by now; it is made in \d+ s at the latest\.$|^A match is at hand, and waits a moment for a better one/,
      );
      expectWhen(reading, enqueuedAt + byGapMs, enqueuedAt + byGapMs + laterMs);
    }
    expect(await ann.read()).toMatchObject({ matchId: expect.any(String) });
    const made = await matchedAt(ann);
    expect(made).toBeGreaterThanOrEqual(enqueuedAt + byGapMs);
    expect(await matchedAt(ben)).toBe(made);
  });
});

describe('a match that finds no server', () => {
  it('does not hold a player until it is abandoned: one leaves, and the others wait at their old place', async () => {
    const queue = await openQueue(stack, 'no-server', {
      teamSize: 2,
      maxPartySize: 2,
      leavers: { coolDownSeconds: [600], forgiveAfterSeconds: 3_600 },
    });
    const build = 'no-server';
    const pair = await queueUp(stack, ['unplaced-ann', 'unplaced-al'], { queue, build });
    const others = await queueUp(stack, ['unplaced-bob', 'unplaced-ben'], { queue, build });
    const { enqueuedAt } = await others.read();
    const unplaced = ({ state, reason }: { state: string; reason: string }): boolean =>
      state === 'placing' && reason.includes('no server of build');
    await pair.until(unplaced);
    // Any of them.
    const [, al] = pair.clients;
    expect(await al?.cancel(pair.ticketId)).toBe(true);
    expect(await pair.read()).toMatchObject({ state: 'cancelled', closed: true });
    expect(await others.read()).toMatchObject({ state: 'waiting', enqueuedAt });
    for (const client of pair.clients) expect(await client.penalties()).toMatchObject({ penalties: [] });

    const again = await queueUp(stack, ['unplaced-ann', 'unplaced-al'], { queue, build });
    await again.until(unplaced);
    const server = await GameServer.start(stack, { serverId: 'no-server-late', build });
    const { sessionId } = await others.assigned();
    expect(await again.leader.cancel(again.ticketId)).toBe(false);
    await server.report(sessionId, { winner: 0 });
    expect(await others.closed()).toMatchObject({ matchState: 'rated' });
    await server.stop();
  });
});

describe('the estimate', () => {
  /** The answers of all queue processes: each of them learns for itself. */
  async function told(ticket: Queued): Promise<WaitingFacts[]> {
    const token = await stack.token(ticket.playerIds[0] ?? '');
    const replicas = stack.run.replicas.filter(({ service }) => service === 'queue');
    const said: WaitingFacts[] = [];
    for (const { httpPort } of replicas)
      await until(async () => {
        const path = `/v1/tickets/${ticket.ticketId}`;
        const { waiting } = jsonOf<TicketView>(await ask(`http://127.0.0.1:${httpPort}`, path, { token }));
        if (waiting) said.push(waiting);
        return waiting !== undefined;
      });
    expect(said).toHaveLength(replicas.length);
    return said;
  }

  it('is given after eight similar tickets were matched, as the wait of those', async () => {
    // Two players with different map wishes meet when they have insisted for this time.
    const insistMs = 2_000;
    const queue = await openQueue(stack, 'estimate', {
      maps: { names: ['castle', 'mine'], agreeSeconds: insistMs / 1_000 },
      placementTimeoutSeconds,
    });
    const one = (name: string, build: string, map: string): Promise<Queued> =>
      queueUp(stack, [`estimate-${name}`], { queue, build, maps: [map] });
    const alone = (name: string): Promise<Queued> => one(name, `estimate-${name}`, 'castle');
    /** Two players who only meet each other, by their build. */
    const pair = async (i: number): Promise<Queued[]> => {
      const build = `estimate-pair-${i}`;
      return [await one(`${i}-a`, build, 'castle'), await one(`${i}-b`, build, 'mine')];
    };
    /** The real waits of pairs, and the maximum that the queried processes assume. */
    const waitsOf = async (tickets: readonly Queued[]): Promise<{ least: number; most: number }> => {
      const made = await Promise.all(
        tickets.map(async (ticket) => {
          const { enqueuedAt } = await ticket.read();
          return { enqueuedAt, waitedMs: (await matchedAt(ticket)) - enqueuedAt };
        }),
      );
      // The first of a pair insisted to the end, the other came a little later.
      for (const [i, { waitedMs }] of made.entries())
        if (i % 2 === 0) expect(waitedMs).toBeGreaterThanOrEqual(insistMs);
      return {
        least: Math.min(...made.map(({ waitedMs }) => waitedMs)),
        most: Date.now() - Math.min(...made.map(({ enqueuedAt }) => enqueuedAt)),
      };
    };

    const eve = await alone('eve');
    for (const waiting of await told(eve))
      expect(waiting).toMatchObject({
        rule: 'players',
        why: '1 of 2 players are here (build estimate-eve): 1 more must queue.',
        widensInSeconds: null,
        estimate: null,
      });

    const early = (await Promise.all([1, 2, 3].map(pair))).flat();
    await Promise.all(early.map(matchedAt));
    const fay = await alone('fay');
    for (const waiting of await told(fay)) expect(waiting.estimate).toBeNull();
    const first = await waitsOf(early);

    const late = await pair(4);
    await Promise.all(late.map(matchedAt));
    const gus = await alone('gus');
    const said = await told(gus);
    const second = await waitsOf(late);
    const waitedMs = Date.now() - (await gus.read()).enqueuedAt;
    const [least, most] = [Math.min(first.least, second.least), Math.max(first.most, second.most)];
    for (const { rule, estimate } of said) {
      expect(rule).toBe('players');
      expect(estimate?.basedOn).toBe(8);
      expect(estimate?.fromSeconds).toBeGreaterThanOrEqual(Math.round((least - waitedMs) / 1_000));
      expect(estimate?.toSeconds).toBeGreaterThanOrEqual(estimate?.fromSeconds ?? NaN);
      expect(estimate?.toSeconds).toBeLessThanOrEqual(Math.ceil(most / 1_000));
    }
    // A ticket that waited longer than all of them gets no estimate.
    for (const waiting of await told(eve)) expect(waiting.estimate).toBeNull();

    for (const ticket of [eve, fay, gus]) await ticket.leader.cancel(ticket.ticketId);
  });
});

describe('the list of waiting tickets', () => {
  it('comes in pages that together have all, and says how many wait', async () => {
    const queue = await openQueue(stack, 'why-pages', { teams: 2, teamSize: 5 });
    const players = Array.from({ length: 7 }, (_, i) => `pages-${i}`);
    for (const player of players) await queueUp(stack, [player], { queue, build: 'why-pages' });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await stack.operator.waiting(queue, {
        limit: 3,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(page.total).toBe(players.length);
      // Those that expire in the same millisecond come together.
      expect(page.waiting.length).toBeGreaterThanOrEqual(Math.min(3, players.length - seen.length));
      seen.push(...page.waiting.flatMap((ticket) => ticket.players));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(players);
    expect(await stack.operator.waiting(queue)).toMatchObject({ total: players.length, next: null });
  });
});
