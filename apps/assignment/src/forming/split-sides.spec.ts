import { FormTeamsJob } from '@muster/contracts';
import { seededRandom } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitForSides, type PlayerWeights } from './split-sides.js';

interface Player {
  readonly id: string;
  readonly level: number;
  readonly onSides: readonly number[];
}

function jobOf(players: readonly Player[], teams: number, bots = 0): FormTeamsJob {
  return FormTeamsJob.parse({
    matchId: 'mat_00000001',
    queue: 'q',
    build: 'b',
    regions: [],
    tickets: players.map(({ id }) => ({ ticketId: `tkt_${id}`, playerIds: [id], enqueuedAt: 0 })),
    bots,
    rules: {
      mode: 'm',
      pool: 'p',
      teams,
      teamSize: (players.length + bots) / teams,
      placementTimeoutSeconds: 1,
      sides: ['marines', 'aliens', 'pirates'].slice(0, teams),
      bots: { skill: 20 },
    },
    why: [],
    proposedAt: 0,
  });
}

function weightsOf(players: readonly Player[]): PlayerWeights {
  const byId = new Map(players.map((player) => [player.id, player]));
  return {
    of: (id) => byId.get(id)?.level ?? NaN,
    onSides: (id) => byId.get(id)?.onSides ?? [],
  };
}

/** The strength of a team on a side. */
const strength = (weights: PlayerWeights, team: readonly string[], side: number): number =>
  team.reduce((sum, id) => sum + weights.of(id) + (weights.onSides(id)[side] ?? 0), 0);

/** The least lead of either side, by trying every pair of ordered teams. */
function leastApart(players: readonly Player[]): number {
  const weights = weightsOf(players);
  let least = Infinity;
  for (let mask = 0; mask < 1 << players.length; mask++) {
    const first = players.filter((_player, i) => mask & (1 << i)).map(({ id }) => id);
    if (first.length * 2 !== players.length) continue;
    const second = players.map(({ id }) => id).filter((id) => !first.includes(id));
    least = Math.min(least, Math.abs(strength(weights, first, 0) - strength(weights, second, 1)));
  }
  return least;
}

const population = fc
  .record({
    half: fc.integer({ min: 1, max: 4 }),
    seed: fc.integer({ min: 1, max: 1e9 }),
    bias: fc.integer({ min: -9, max: 9 }),
  })
  .map(({ half, seed, bias }) => {
    const random = seededRandom(seed);
    return Array.from({ length: 2 * half }, (_, i): Player => ({
      id: `p${i}`,
      level: Math.round(1_000 * random()) / 20,
      onSides: [bias + Math.round(200 * random()) / 20, Math.round(200 * random()) / 20],
    }));
  });

describe('R23 teams for their sides', () => {
  it('are the most even of all, with each player as strong as on that side', () => {
    fc.assert(
      fc.property(population, (players) => {
        const weights = weightsOf(players);
        const { answer, choice } = splitForSides(jobOf(players, 2), weights, { best: 2 });
        const [best] = answer.solutions;
        expect(choice).toBe('together');
        expect(answer.certificate.status).toBe('proven');
        expect(best?.teams.flat().toSorted()).toEqual(players.map(({ id }) => id).toSorted());
        expect(best?.difference).toBeCloseTo(leastApart(players), 6);
        best?.teams.forEach((team, side) => {
          expect(team).toHaveLength(players.length / 2);
          expect(best.sums[side]).toBeCloseTo(strength(weights, team, side), 6);
        });
        const [first = NaN, second = NaN] = best?.sums ?? [];
        expect(Math.abs(first - second)).toBeCloseTo(best?.difference ?? NaN, 6);
      }),
      { numRuns: 60 },
    );
  });

  it('give a side with an advantage the weaker team', () => {
    const players = ['a', 'b'].map((id, i) => ({ id, level: 20 + 4 * i, onSides: [2, -2] }));
    const { answer } = splitForSides(jobOf(players, 2), weightsOf(players), {});
    expect(answer.solutions[0]?.teams).toEqual([['a'], ['b']]);
    expect(answer.solutions[0]?.difference).toBe(0);
  });

  it('of three teams get the sides on which they are most even, afterwards', () => {
    const players = Array.from({ length: 3 }, (_, i) => ({
      id: `p${i}`,
      level: 20 + i,
      onSides: [i, -i, 3 * i],
    }));
    const weights = weightsOf(players);
    const { answer, choice } = splitForSides(jobOf(players, 3), weights, {});
    expect(choice).toBe('afterwards');
    const apart = (teams: readonly (readonly string[])[]): number => {
      const all = teams.map((team, side) => strength(weights, team, side));
      return Math.max(...all) - Math.min(...all);
    };
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ];
    const least = Math.min(...orders.map((order) => apart(order.map((i) => [`p${i}`]))));
    expect(apart(answer.solutions[0]?.teams ?? [])).toBe(least);
  });

  it('with bots get their sides afterwards, with their bots', () => {
    const players = ['a', 'b', 'c'].map((id, i) => ({ id, level: 20 + i, onSides: [3 * i, 0] }));
    const { answer, choice } = splitForSides(jobOf(players, 2, 1), weightsOf(players), {});
    const [best] = answer.solutions;
    expect(choice).toBe('afterwards');
    expect(best?.teams.map((team, t) => team.length + (best.bots[t] ?? 0))).toEqual([2, 2]);
  });

  it('are split as before where nothing is known of sides', () => {
    const players = ['a', 'b', 'c', 'd'].map((id, i) => ({ id, level: 20 + i, onSides: [] }));
    const { answer, choice } = splitForSides(jobOf(players, 2), weightsOf(players), {});
    expect(choice).toBe('none');
    expect(answer.solutions[0]?.difference).toBe(0);
  });
});
