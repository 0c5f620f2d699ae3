import { SplitPool, SplitTeams, RebalanceTeams } from '@muster/contracts';
import { Unsolvable } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { SolveTeams } from './solve-teams.js';

const players = [31, 12, 27, 18, 24, 22].map((weight, i) => ({ id: `p${i}`, weight }));
const body = { players, teamSizes: [3, 3] };

/** Each read of the clock advances it by a tenth of a second. */
function solver(): SolveTeams {
  let now = 1_000;
  return new SolveTeams({ now: () => (now += 100) });
}

/** Returns the error thrown, as an Unsolvable. */
function refusal(run: () => unknown): Unsolvable {
  try {
    run();
  } catch (error) {
    if (error instanceof Unsolvable) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('SolveTeams', () => {
  it('splits, and reports the elapsed time', () => {
    const answer = solver().split(SplitTeams.parse({ ...body, best: 3 }));
    expect(answer).toMatchObject({
      ranked: true,
      chosen: 0,
      certificate: { status: 'proven', value: 0 },
      ways: 10,
      winProbability: null,
    });
    expect(answer.solutions).toHaveLength(3);
    expect(answer.elapsedMs % 100).toBe(0);
    expect(answer.elapsedMs).toBeGreaterThanOrEqual(100);
    expect(answer).not.toHaveProperty('outcome');
  });

  it('counts the time limit from the arrival, so that time in a queue is part of it', () => {
    const wild = Array.from({ length: 50 }, (_, i) => ({
      id: `p${i}`,
      weight: 1_000 + 300 * Math.sin(i * i),
    }));
    const request = SplitTeams.parse({ players: wild, teamSizes: [10, 10, 10, 10, 10], deadlineMs: 1_000 });
    const now = { now: () => 5_000 };
    const late = new SolveTeams(now).split(request, 4_000);

    expect(late).toMatchObject({ certificate: { stopped: 'deadline' }, elapsedMs: 1_000 });
  });

  it('returns each of the best splits in turn, and the same one for the same seed', () => {
    const drawn = (seed: number): number =>
      solver().split(SplitTeams.parse({ ...body, best: 10, power: 0, seed })).chosen;
    const seeds = Array.from({ length: 60 }, (_, seed) => seed);
    expect(new Set(seeds.map(drawn)).size).toBe(10);
    expect(seeds.map(drawn)).toEqual(seeds.map(drawn));
  });

  it('gives the first team’s chance to win, consistent with the certificate', () => {
    const sigmas = Object.fromEntries(players.map(({ id }, i) => [id, 2 + i]));
    const uneven = players.map((player, i) => ({ ...player, weight: i === 0 ? 60 : player.weight }));
    const answer = solver().split(
      SplitTeams.parse({ players: uneven, teamSizes: [3, 3], objective: { kind: 'win', beta: 4, sigmas } }),
    );
    const [first = 0, second = 0] = answer.solutions[0]?.sums ?? [];
    const chance = answer.winProbability ?? NaN;
    expect(Math.sign(chance - 0.5)).toBe(Math.sign(first - second));
    // The minimised value is the difference of the two teams' chances.
    expect(Math.abs(2 * chance - 1)).toBeCloseTo(answer.certificate.value, 12);
  });

  it('refuses with the conflicting constraints', () => {
    const { message, facts } = refusal(() =>
      solver().split(
        SplitTeams.parse({
          ...body,
          players: players.map((player) => ({ ...player, party: player.id < 'p4' ? 'four' : undefined })),
        }),
      ),
    );
    expect(message).not.toBe('');
    expect(facts).toMatchObject({
      why: 'infeasible',
      relax: [{ kind: 'party', party: 'four', size: 4 }],
    });
  });

  it('gives the path of an invalid value', () => {
    const { message, facts } = refusal(() =>
      solver().split(SplitTeams.parse({ ...body, teamSizes: [3, 2] })),
    );
    expect(message).toMatch(/5 places.*6 players/);
    expect(facts).toMatchObject({ why: 'malformed', path: 'teamSizes', relax: [] });
  });

  it('splits a pool in all sizes', () => {
    const answer = solver().splits(SplitPool.parse({ players, bench: 'anyone' }));
    expect(answer.splits.map(({ size }) => size)).toEqual([2, 3]);
    expect(answer).not.toHaveProperty('outcome');
  });

  it('rebalances', () => {
    const current = [
      ['p0', 'p2', 'p4'],
      ['p1', 'p3'],
    ];
    const answer = solver().rebalance(RebalanceTeams.parse({ players, current, tolerance: 4 }));
    expect(answer.placed).toEqual([{ id: 'p5', team: 1 }]);
    expect(answer.front[0]).toMatchObject({ swaps: 0, toSecond: [], toFirst: [], difference: 30 });
    expect(answer.withinTolerance).toBe(true);
    expect(answer).not.toHaveProperty('outcome');
  });
});
