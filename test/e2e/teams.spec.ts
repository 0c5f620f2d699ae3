import { seededRandom } from '@muster/domain';
import { MusterProblem, ServerClient, type OperatorClient } from '@muster/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { register } from '../support/game-server.js';
import { ask, jsonOf, problemOf } from '../support/http.js';
import type { Stack } from '../support/stack.js';
import {
  expectToAddUp,
  named,
  partition,
  total,
  variance,
  type SplitBody,
  type SplitView,
} from '../support/teams.js';
import { sharedStack } from './shared-stack.js';

const ten = named([31, 12, 27, 18, 24, 22, 35, 9, 16, 29]);
const eleven = [...ten, { id: 'p11', weight: 20 }];

let stack: Stack;
let operator: OperatorClient;

beforeAll(async () => {
  stack = await sharedStack();
  operator = stack.operator;
});

/** Splits, and checks the sums and the proof of the answer. */
async function proven(body: SplitBody): Promise<SplitView> {
  const answer = await operator.split(body);
  expectToAddUp(body, answer);
  const { certificate, because } = answer;
  expect(certificate).toMatchObject({ status: 'proven' });
  expect(certificate.lowerBound).toBeLessThanOrEqual(certificate.value);
  expect(certificate).not.toHaveProperty('stopped');
  expect(because).not.toBe('');
  return answer;
}

const first = ({ solutions }: SplitView): SplitView['solutions'][number] => {
  const [best] = solutions;
  if (!best) throw new Error('no solution');
  return best;
};

describe('POST /v1/teams/split', () => {
  it('makes the most even teams, with proof', async () => {
    const answer = await proven({ players: ten, teamSizes: [5, 5] });

    // The weights sum to 223: an odd sum cannot be divided more evenly.
    expect(answer.certificate.value).toBe(1);
    expect(first(answer)).toMatchObject({ difference: 1, bench: [], bots: [0, 0] });
    expect(first(answer).teams.map((team) => team.length)).toEqual([5, 5]);
    expect(answer).toMatchObject({ ranked: true, chosen: 0, ways: 126, shift: 0, winProbability: null });
    expect(answer.operations).toBeGreaterThan(0);
    expect(answer.elapsedMs).toBeGreaterThanOrEqual(0);
  });

  it('keeps parties together, and players who avoid one another apart', async () => {
    const party = new Map([
      ['p1', 'red'],
      ['p3', 'red'],
      ['p7', 'red'],
      ['p2', 'blue'],
      ['p8', 'blue'],
    ]);
    const players = ten.map((player) => ({ ...player, party: party.get(player.id) }));
    const answer = await proven({ players, teamSizes: [5, 5], avoid: [['p1', 'p10']], best: 100 });

    expect(answer.solutions.length).toBe(answer.ways);
    for (const { teams } of answer.solutions) {
      const teamOf = (id: string): number => teams.findIndex((team) => team.includes(id));
      expect(new Set(['p1', 'p3', 'p7'].map(teamOf)).size).toBe(1);
      expect(teamOf('p2')).toBe(teamOf('p8'));
      expect(teamOf('p1')).not.toBe(teamOf('p10'));
    }
  });

  it('gives each team its required roles', async () => {
    const players = ten.map((player, i) => ({ ...player, canPlay: i < 3 ? ['healer'] : undefined }));
    const answer = await proven({
      players,
      teamSizes: [5, 5],
      roles: { healer: { min: 1, max: 2 } },
      best: 100,
    });

    for (const { teams } of answer.solutions) {
      const healers = teams.map((team) => team.filter((id) => ['p1', 'p2', 'p3'].includes(id)).length);
      expect(healers.toSorted()).toEqual([1, 2]);
    }
  });

  it('fills empty places with bots, and allows a strong team to be smaller', async () => {
    const players = named([90, 80, 10, 10, 10, 10, 10]);
    const body = {
      players,
      teamSizes: [4, 3],
      bots: { weight: 15, fillTo: 8, maxSizeDifference: 3 },
    };
    const answer = await proven(body);

    const { teams, bots, ratio } = first(answer);
    const sizes = teams.map((team) => team.length);
    const places = Math.max(4, ...sizes);
    expect(sizes.map((size, t) => size + (bots[t] ?? 0))).toEqual([places, places]);
    expect(answer.certificate.value).toBeCloseTo(1 - ratio, 12);
    const even = await proven({ ...body, bots: { ...body.bots, maxSizeDifference: 1 } });
    expect(
      first(even)
        .teams.map((team) => team.length)
        .toSorted(),
    ).toEqual([3, 4]);
    expect(first(even).ratio).toBeLessThanOrEqual(ratio);
  });

  it('draws one of the best, reproducibly by seed', async () => {
    const body = { players: ten, teamSizes: [5, 5], best: 20, power: 1 };
    const drawn = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => proven({ ...body, seed })));

    expect((await proven({ ...body, seed: 1 })).chosen).toBe(drawn[0]?.chosen);
    expect(new Set(drawn.map(({ chosen }) => chosen)).size).toBeGreaterThan(1);
    for (const answer of drawn) {
      expect(answer.ranked).toBe(true);
      expect(answer.solutions).toEqual(drawn[0]?.solutions);
      const differences = answer.solutions.map(({ difference }) => difference);
      expect(differences).toEqual(differences.toSorted((a, b) => a - b));
      expect(new Set(answer.solutions.map(({ teams }) => partition(teams))).size).toBe(20);
    }
  });

  it('equalises win chances, and returns them', async () => {
    const players = named([31.4, 12.1, 27.9, 18.2]);
    const sigmas = { p1: 2, p2: 8, p3: 4, p4: 6 };
    const answer = await proven({
      players,
      teamSizes: [2, 2],
      objective: { kind: 'win', beta: 4.2, sigmas },
    });

    const [red = 0, blue = 0] = first(answer).sums;
    const chance = answer.winProbability ?? NaN;
    expect(Math.sign(chance - 0.5)).toBe(Math.sign(red - blue));
    expect(Math.abs(2 * chance - 1)).toBeCloseTo(answer.certificate.value, 9);
  });

  it('makes three teams, and teams of unequal size with equal means', async () => {
    const three = await proven({ players: eleven.slice(0, 9), teamSizes: [3, 3, 3] });
    expect(first(three).teams.map((team) => team.length)).toEqual([3, 3, 3]);

    const uneven = await proven({ players: eleven, teamSizes: [6, 5], objective: { kind: 'mean' } });
    const means = first(uneven).teams.map((team) => total(eleven, team) / team.length);
    expect(Math.max(...means) - Math.min(...means)).toBeCloseTo(uneven.certificate.value, 9);
  });

  it('decides by second goals among sufficiently even splits', async () => {
    const body = { players: ten, teamSizes: [5, 5] };
    const answer = await operator.split({ ...body, second: { goals: ['spread'], slack: 3 } });

    expectToAddUp(body, answer);
    const spread = (view: SplitView): number => {
      const [one = 0, other = 0] = first(view).teams.map((team) =>
        variance(team.map((id) => total(ten, [id]))),
      );
      return Math.abs(one - other);
    };
    expect(spread(answer)).toBeLessThanOrEqual(spread(await proven(body)));
    expect(first(answer).difference).toBeLessThanOrEqual(1 + 3);
  });

  it('answers within the deadline, with a bound on the distance to the optimum', async () => {
    const random = seededRandom(5);
    const players = named(Array.from({ length: 60 }, () => 100 * random()));
    const body = { players, teamSizes: [30, 30], deadlineMs: 1, best: 100 };
    const answer = await operator.split(body);

    expectToAddUp(body, answer);
    const { status, value, lowerBound, gap, stopped } = answer.certificate;
    expect(status).toBe('bounded');
    expect(stopped).toMatch(/^(deadline|memory|size)$/);
    expect(value).toBeCloseTo(first(answer).difference, 9);
    expect(gap).toBeCloseTo(value - lowerBound, 12);
    expect(answer.ranked).toBe(false);
    // Sixty random players split well within a millisecond: to less than a hundredth of the lightest.
    expect(value).toBeLessThan(1);
  });
});

describe('POST /v1/teams/splits', () => {
  const body = { players: eleven.map((player, i) => ({ ...player, waited: i })) };

  it.each(['anyone', 'top-plays', 'longest-waiting'] as const)(
    'makes the best teams of every size when the bench is for %s',
    async (bench) => {
      const { splits } = await operator.splits({ ...body, bench });

      expect(splits.map(({ size }) => size)).toEqual([2, 3, 4, 5]);
      for (const { size, teams, bench: out, sums, difference, certificate } of splits) {
        expect(teams.map((team) => team.length)).toEqual([size, size]);
        expect([...teams.flat(), ...out].toSorted()).toEqual(eleven.map(({ id }) => id).toSorted());
        expect(sums).toEqual(teams.map((team) => total(eleven, team)));
        expect(difference).toBe(Math.max(...sums) - Math.min(...sums));
        expect(certificate).toMatchObject({ status: 'proven', value: difference });
        if (bench === 'top-plays') expect(out).not.toContain('p7');
        if (bench === 'longest-waiting')
          expect(out.toSorted()).toEqual(
            body.players
              .slice(0, 11 - 2 * size)
              .map(({ id }) => id)
              .toSorted(),
          );
      }
    },
  );
});

describe('POST /v1/teams/rebalance', () => {
  const current: [string[], string[]] = [
    ['p1', 'p3', 'p5', 'p7', 'p10'],
    ['p2', 'p4', 'p6', 'p8'],
  ];

  it('places late joiners, then finds the fewest sufficient swaps', async () => {
    const answer = await operator.rebalance({ players: ten, current, tolerance: 5 });

    expect(answer.placed).toEqual([{ id: 'p9', team: 1 }]);
    expect(answer).toMatchObject({ withinTolerance: true, exact: true });
    const [start, ...better] = answer.front;
    expect(start).toMatchObject({ swaps: 0, toSecond: [], toFirst: [], sums: [146, 77], difference: 69 });
    expect(better.length).toBeGreaterThan(0);
    let before = start?.difference ?? 0;
    for (const { swaps, toSecond, toFirst, sums, difference } of better) {
      expect([toSecond.length, toFirst.length]).toEqual([swaps, swaps]);
      const moved = [
        [...current[0].filter((id) => !toSecond.includes(id)), ...toFirst],
        [...current[1], 'p9'].filter((id) => !toFirst.includes(id)).concat(toSecond),
      ];
      expect(sums).toEqual(moved.map((team) => total(ten, team)));
      expect(difference).toBe(Math.abs((sums[0] ?? 0) - (sums[1] ?? 0)));
      expect(difference).toBeLessThan(before);
      before = difference;
    }
    expect(before).toBe(1);
    const within = answer.front.findIndex(({ difference }) => difference <= 5);
    expect(answer.chosen).toBe(within);
  });

  it('does not change sufficiently even teams', async () => {
    const answer = await operator.rebalance({ players: ten, current, tolerance: 100 });
    expect(answer.chosen).toBe(0);
    expect(answer.withinTolerance).toBe(true);
  });

  it('reports an unreachable tolerance, and chooses the most even', async () => {
    const answer = await operator.rebalance({ players: ten, current, tolerance: 0 });
    expect(answer.withinTolerance).toBe(false);
    expect(answer.front[answer.chosen]?.difference).toBe(1);
  });
});

describe('an unsolvable problem is refused with the conflicting constraint', () => {
  const refusal = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await ask(stack.url, path, { token: stack.run.operatorKey, body });
    expect(problemOf(answer)).toMatchObject({ status: 422, code: 'unsolvable' });
    return JSON.parse(answer.text) as Record<string, unknown>;
  };
  const split = { players: ten, teamSizes: [5, 5] };

  it.each([
    [
      'a party that is larger than a team',
      { ...split, players: ten.map((player, i) => ({ ...player, party: i < 6 ? 'six' : undefined })) },
      [{ kind: 'party', party: 'six', size: 6 }],
    ],
    [
      'a party of two who avoid one another',
      {
        ...split,
        players: ten.map((player, i) => ({ ...player, party: i < 2 ? 'odd' : undefined })),
        avoid: [['p1', 'p2']],
      },
      [expect.objectContaining({ kind: expect.stringMatching(/^(party|avoid)$/) })],
    ],
    [
      'too few healers',
      {
        ...split,
        roles: { healer: { min: 1 } },
        players: ten.map((player, i) => ({ ...player, canPlay: i === 4 ? ['healer'] : undefined })),
      },
      [{ kind: 'role-min', role: 'healer', min: 1 }],
    ],
    [
      'a role that nobody plays',
      { ...split, roles: { healer: { min: 1 } } },
      [{ kind: 'role-min', role: 'healer', min: 1 }],
    ],
    [
      'too many tanks',
      { ...split, roles: { tank: { max: 4 } }, players: ten.map((p) => ({ ...p, canPlay: ['tank'] })) },
      [{ kind: 'role-max', role: 'tank', max: 4 }],
    ],
  ])('%s', async (_, body, relax) => {
    const problem = await refusal('/v1/teams/split', body);
    expect(problem).toMatchObject({ why: 'infeasible', relax });
    expect(problem['detail']).toMatch(/^[A-Z].*\.$/);
  });

  it.each([
    [
      'sizes that do not add up',
      'split',
      { ...split, teamSizes: [5, 4] },
      /9 places.*10 players/,
      'teamSizes',
    ],
    [
      'a player named twice',
      'split',
      { players: [...ten.slice(1), ten[1]], teamSizes: [5, 5] },
      /p2/,
      'players',
    ],
    ['an unknown player to avoid', 'split', { ...split, avoid: [['p1', 'eve']] }, /eve/, 'avoid'],
    [
      'an unknown player in the teams',
      'rebalance',
      { players: ten, current: [['eve'], []], tolerance: 1 },
      /eve/,
      'current',
    ],
    [
      'a pool with one player twice',
      'splits',
      { players: [ten[0], ten[0]], bench: 'anyone' },
      /p1/,
      'players',
    ],
  ])('%s, with the place', async (_, call, body, words, path) => {
    const problem = await refusal(`/v1/teams/${call}`, body);
    expect(problem).toMatchObject({ why: 'malformed', detail: expect.stringMatching(words) });
    expect(problem['path']).toMatch(new RegExp(`^${path}`));
  });
});

describe('GET /v1/matches/:matchId', () => {
  it('states of a reported match that its teams were formed elsewhere', async () => {
    const { matchId } = await operator.reportMatch({
      eventId: 'teams-1',
      pool: 'default',
      teams: [['p1'], ['p2']],
      ranks: [1, 2],
    });
    expect(await operator.match(matchId)).toMatchObject({ origin: 'reported', split: null });
  });
});

describe('callers', () => {
  const calls = [
    ['split', { players: ten, teamSizes: [5, 5] }],
    ['splits', { players: ten, bench: 'anyone' }],
    ['rebalance', { players: ten, current: [['p1'], ['p2']], tolerance: 1 }],
  ] as const;

  it.each(calls)('%s: servers, fleets and operators only', async (call, body) => {
    const path = `/v1/teams/${call}`;
    const { serverToken } = await register(stack, { serverId: 'teams-server', build: 'teams' });
    const { serverKey, operatorKey } = stack.run;
    for (const token of [serverToken, serverKey, operatorKey])
      jsonOf(await ask(stack.url, path, { token, body }));

    const player = await ask(stack.url, path, { token: await stack.token('teams-player'), body });
    expect(problemOf(player)).toMatchObject({ status: 403, code: 'not-allowed' });
    expect(problemOf(await ask(stack.url, path, { body }))).toMatchObject({
      status: 401,
      code: 'not-authenticated',
    });
  });

  it('a server calls through its client, registered or not', async () => {
    const client = new ServerClient(
      {
        url: stack.url,
        serverKey: stack.run.serverKey,
        server: { serverId: 'teams-client', region: 'local', build: 'b', host: 'h', port: 1, slots: 1 },
      },
      { createSession: async () => undefined, endSession: () => undefined },
    );

    expect((await client.split({ players: ten, teamSizes: [5, 5] })).certificate.status).toBe('proven');
    expect((await client.splits({ players: ten, bench: 'anyone' })).splits).toHaveLength(4);
    const current: [string[], string[]] = [['p1'], ['p2']];
    expect((await client.rebalance({ players: ten, current, tolerance: 1 })).placed).toHaveLength(8);
    await expect(client.split({ players: ten, teamSizes: [5, 4] })).rejects.toThrow(MusterProblem);
    expect((await operator.servers()).servers.map(({ serverId }) => serverId)).not.toContain('teams-client');
  });
});
