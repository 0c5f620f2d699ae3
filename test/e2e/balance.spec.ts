import { ServerClient } from '@muster/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeServer } from '../support/game-server.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

// A community server without a queue: it sends the whole roster, and stores the returned state.

const pool = 'balance-lone';
const ratings = { ann: 31, ben: 12, cat: 27, dan: 18, eve: 22, fay: 9 };

let stack: Stack;
let server: ServerClient;

beforeAll(async () => {
  stack = await sharedStack();
  await stack.operator.createPool({ name: pool });
  for (const [playerId, mu] of Object.entries(ratings))
    await stack.operator.setRating(pool, playerId, { mu, sigma: 2, reason: 'known here' });
  const unused = (): never => {
    throw new Error('it hosts no sessions');
  };
  // Not started: it calls without a registration.
  server = new ServerClient(
    {
      url: stack.url,
      serverKey: stack.run.serverKey,
      server: describeServer({ serverId: 'lone', build: 'lone' }),
    },
    { createSession: unused, endSession: unused },
  );
});

const on = (team: number | null, ...names: string[]): { playerId: string; team: number | null }[] =>
  names.map((playerId) => ({ playerId, team }));
const rosterOf = (first: string[], second: string[]) => ({
  pool,
  teams: 2,
  players: [...on(0, ...first), ...on(1, ...second)],
});

describe('a server without a queue', () => {
  it('gets each move once; the returned state is the only state', async () => {
    const policy = 'synelo' as const;
    const found = await server.checkBalance({ policy, roster: rosterOf(['ann', 'ben', 'cat'], ['dan']) });
    expect(found).toMatchObject({ outcome: 'moves', finding: { imbalance: { by: 'size', from: 0, to: 1 } } });
    // 70 against 18: half the difference is 26, and cat's 27 is nearest to it.
    expect(found.directive?.moves).toMatchObject([{ playerId: 'cat', from: 0, to: 1 }]);
    const made = rosterOf(['ann', 'ben'], ['dan', 'cat']);
    const after = await server.checkBalance({ policy, roster: made, state: found.state });
    expect(after).toMatchObject({ outcome: 'balanced', state: { moved: ['cat'], ordered: null } });
    const again = await server.checkBalance({
      policy,
      roster: rosterOf([], ['dan', 'cat']),
      state: after.state,
    });
    expect(again.directive?.moves).toMatchObject([{ playerId: 'dan' }]);
  });

  it('gets the team of a newcomer, the number of bots, and the team ahead', async () => {
    const roster = rosterOf(['ann', 'ben'], ['dan']);
    const placed = await server.placePlayer({ roster, arrives: { playerId: 'eve' } });
    expect(placed).toMatchObject({ team: 1 });
    // The pool expects three of any ratings to beat one.
    const [withThree, withTwo] = (placed.options ?? []).map(({ chances }) => chances?.[0] ?? NaN);
    expect(withThree).toBeGreaterThan(0.9);
    expect(withTwo).toBeGreaterThan(0.4);
    expect(withTwo).toBeLessThan(0.8);
    expect(placed.why).toMatch(/its chance to win is \d+ %, by ratings and by the number of players/);
    const left = await server.placePlayer({
      roster: rosterOf(['ann', 'ben'], ['dan', 'eve']),
      leaves: 'ann',
    });
    expect(left.advantage?.strongest).toBe(1);
    const bots = await server.planBots({
      roster,
      policy: { placement: { bots: { minPlayers: 6 }, maxSizeDifference: 1 } },
    });
    expect(bots).toMatchObject({ players: 6, bots: 3, byTeam: [1, 2] });
    const ahead = await server.askHandicap({ roster, policy: { levers: [{ kind: 'damage', most: 1.5 }] } });
    // 43 against 18: more than a lever may compensate.
    expect(ahead).toMatchObject({
      strongest: 0,
      advice: [{ kind: 'damage', team: 1, value: 1.5, atLimit: true }],
    });
  });

  it('scrambles teams when a round requires it, with splits prepared in advance', async () => {
    const roster = rosterOf(['ann', 'cat', 'eve'], ['ben', 'dan', 'fay']);
    const before = await server.askScramble({ roster, mode: 'capture-the-flag' });
    expect(before).toMatchObject({ trigger: null, cache: { splits: [{ size: 2 }, { size: 3 }] } });
    const round = { kind: 'round-ended' as const, round: 1, winner: 0 };
    const due = await server.askScramble({
      roster,
      mode: 'capture-the-flag',
      event: round,
      state: before.state,
    });
    expect(due).toMatchObject({ trigger: { cause: 'no-capture', into: 'teams' } });
    const [first = [], second = []] = due.cache.splits.at(-1)?.teams ?? [];
    const sum = (team: readonly string[]): number =>
      team.reduce((total, name) => total + (ratings[name as keyof typeof ratings] ?? NaN), 0);
    // 58 against 61 is the best of the ten ways.
    expect(Math.abs(sum(first) - sum(second))).toBe(3);
  });

  it('grants side wishes where balance allows, and separates the last winners', async () => {
    const roster = rosterOf(['ann', 'cat', 'eve'], ['ben', 'dan', 'fay']);
    const wishes = { ann: 0 as const, ben: 0 as const, cat: 0 as const, dan: 'random' as const };
    const policy = { sides: { forMs: 30_000, toleranceShare: 0.1 } };
    const sides = await server.askSides({ roster, policy, wishes, winners: ['ann', 'cat'] });
    expect(sides).toMatchObject({ withinTolerance: true, winners: [1, 1] });
    // Ann and cat won together: one of them gets the other side, whatever their wish.
    expect(sides.denied).toHaveLength(1);
    expect(['ann', 'cat']).toContain(sides.denied[0]);
    expect(sides.teams[0]).toContain('ben');
    expect(sides.why).toMatch(/2 of 3 wishes/);
    for (const { playerId, from, to } of sides.moves) {
      expect(roster.players.find((player) => player.playerId === playerId)?.team).toBe(from);
      expect(sides.teams[to]).toContain(playerId);
    }
  });
});
