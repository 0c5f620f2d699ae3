import { seededRandom } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readParameters } from '../parameters.js';
import { hiveKind, type HiveState } from './hive.js';
import {
  refitDefaults,
  refitSteps,
  type Refit,
  type RefitMatch,
  type RefitOptions,
  type RefitProgress,
} from './refit.js';

/** All steps at once. */
function refitHive(
  matches: readonly RefitMatch[],
  options?: Partial<RefitOptions>,
  onProgress?: (progress: RefitProgress) => void,
): Refit {
  const steps = refitSteps(matches, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    onProgress?.(step.value);
  }
}

const chance = (z: number): number => 1 / (1 + Math.exp(-z));

/** Five against five from the given number of players, won by chances of their true skills. */
function simulate(
  players: number,
  matches: number,
  seed: number,
): { truth: number[]; history: RefitMatch[] } {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const truth = Array.from({ length: players }, () => 10 + 2 * normal());
  const history = Array.from({ length: matches }, (): RefitMatch => {
    const drawn = new Set<number>();
    while (drawn.size < 10) drawn.add(Math.floor(random() * players));
    const all = [...drawn];
    const z = all.reduce((sum, player, i) => sum + (2 * (i < 5 ? 1 : -1) * (truth[player] ?? 0)) / 10, 0);
    return {
      teams: [all.slice(0, 5).map(String), all.slice(5).map(String)],
      outcome: random() < chance(z) ? 1 : 0,
    };
  });
  return { truth, history };
}

/** Share of all pairs in the right order. */
function rightlyOrdered(truth: readonly number[], found: readonly number[]): number {
  let right = 0;
  let pairs = 0;
  for (let a = 0; a < truth.length; a++)
    for (let b = 0; b < a; b++) {
      pairs++;
      const order = ((truth[a] ?? 0) - (truth[b] ?? 0)) * ((found[a] ?? 0) - (found[b] ?? 0));
      right += order > 0 ? 1 : order === 0 ? 0.5 : 0;
    }
  return right / pairs;
}

/** The gradient of the log posterior by ln s, computed from the skills without any of the fit's own sums. */
function gradientOf(
  matches: readonly RefitMatch[],
  skills: ReadonlyMap<string, number>,
  { k, theta, c }: RefitOptions,
): Map<string, number> {
  const gradient = new Map([...skills].map(([id, skill]) => [id, k - 1 - skill / theta]));
  for (const { teams, weights, odds = 0, outcome } of matches) {
    const entries = teams.flatMap((team, t) =>
      team.map((id, p) => ({ id, time: weights?.[t]?.[p] ?? 1, side: t === 0 ? 1 : -1 })),
    );
    const time = entries.reduce((sum, each) => sum + each.time, 0);
    if (time === 0) continue;
    const lead = entries.reduce((sum, each) => sum + each.time * each.side * (skills.get(each.id) ?? 0), 0);
    const surplus = outcome - chance((c * lead) / time + odds);
    for (const each of entries) {
      const pull = (c * each.time * each.side) / time;
      gradient.set(each.id, (gradient.get(each.id) ?? 0) + (skills.get(each.id) ?? 0) * pull * surplus);
    }
  }
  return gradient;
}

const anyHistory: fc.Arbitrary<RefitMatch[]> = fc.array(
  fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 2, maxLength: 8 }),
      fc.array(fc.constantFrom(0, 0.25, 1, 3), { minLength: 8, maxLength: 8 }),
      fc.double({ min: -5, max: 5, noNaN: true }),
      fc.constantFrom(0, 0.5, 1),
    )
    .map(([players, times, odds, outcome]): RefitMatch => {
      const cut = players.length >> 1;
      return {
        teams: [players.slice(0, cut).map(String), players.slice(cut).map(String)],
        weights: [times.slice(0, cut), times.slice(cut, players.length)],
        odds,
        outcome,
      };
    }),
  { maxLength: 40 },
);
const anyPrior = fc.record({
  k: fc.double({ min: 1.05, max: 60, noNaN: true }),
  theta: fc.double({ min: 0.05, max: 2, noNaN: true }),
  c: fc.double({ min: 0.2, max: 4, noNaN: true }),
  rate: fc.constantFrom(0.3, 1),
});

describe('R10 Hive batch refit', () => {
  it('climbs monotonically to where the gradient is 0, for any history', () => {
    fc.assert(
      fc.property(anyHistory, anyPrior, (history, prior) => {
        const options = { ...refitDefaults, ...prior, tolerance: 1e-5 };
        const heights: number[] = [];
        const fit = refitHive(history, options, ({ height }) => heights.push(height));
        expect(fit.converged).toBe(true);
        expect(heights).toEqual([...heights].sort((a, b) => a - b));
        for (const slope of gradientOf(history, fit.skills, options).values())
          expect(Math.abs(slope)).toBeLessThan(1e-4);
        for (const skill of fit.skills.values()) expect(skill > 0 && Number.isFinite(skill)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('comes as near to the peak as requested, under the usual prior', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const fit = refitHive(history, { tolerance: 1e-9 });
        expect(fit.converged).toBe(true);
        for (const slope of gradientOf(history, fit.skills, refitDefaults).values())
          expect(Math.abs(slope)).toBeLessThan(1e-8);
      }),
    );
  });

  it('orders simulated players better than one pass through the history', () => {
    const { truth, history } = simulate(200, 4000, 11);
    const fit = refitHive(history);
    expect(fit.converged).toBe(true);
    const model = hiveKind.open(readParameters(hiveKind.parameters, {}));
    const online = truth.map(() => model.initial());
    for (const { teams, outcome } of history) {
      const states = teams.map((team) => team.map((id) => online[Number(id)] as HiveState));
      model.rate({ teams: states }, outcome === 1 ? [1, 2] : [2, 1]).forEach((team, t) =>
        team.forEach((state, p) => {
          online[Number(teams[t as 0 | 1][p])] = state;
        }),
      );
    }
    const refitted = truth.map((_skill, i) => fit.skills.get(String(i)) ?? fit.priorMode);
    const byOnline = rightlyOrdered(
      truth,
      online.map(({ skill }) => skill),
    );
    const byRefit = rightlyOrdered(truth, refitted);
    expect(byRefit).toBeGreaterThan(byOnline + 0.02);
    expect(byRefit).toBeGreaterThan(0.85);
  });

  it('leaves players without information at the mode of the prior', () => {
    const fit = refitHive([
      { teams: [['a', 'absent'], ['b']], weights: [[1, 0], [1]], outcome: 1 },
      { teams: [['x'], ['y']], outcome: 0.5 },
      { teams: [['p'], ['q']], weights: [[0], [0]], outcome: 1 },
    ]);
    expect(fit.priorMode).toBeCloseTo(10, 12);
    expect(fit.priorMean).toBeCloseTo(10.4, 12);
    for (const id of ['absent', 'x', 'y', 'p', 'q']) expect(fit.skills.get(id)).toBeCloseTo(10, 5);
    expect(fit.skills.get('a')).toBeGreaterThan(10);
    expect(fit.skills.get('b')).toBeLessThan(10);
  });

  it('bounds the skill of a player who always wins, rising with the number of wins', () => {
    const skillAfter = (wins: number): number =>
      refitHive(
        Array.from({ length: wins }, (): RefitMatch => ({ teams: [['a'], ['b']], outcome: 1 })),
      ).skills.get('a') ?? 0;
    const skills = [1, 10, 100, 1000].map(skillAfter);
    expect(skills).toEqual([...skills].sort((a, b) => a - b));
    expect(skills.at(-1)).toBeLessThan(20);
  });

  it('does not credit players with the odds of the situation', () => {
    const won = (odds: number): number =>
      refitHive([{ teams: [['a'], ['b']], odds, outcome: 1 }]).skills.get('a') ?? 0;
    expect(won(-2)).toBeGreaterThan(won(0));
    expect(won(0)).toBeGreaterThan(won(2));
  });

  it('does nothing without a history', () => {
    const fit = refitHive([]);
    expect([fit.skills.size, fit.iterations, fit.converged]).toEqual([0, 0, true]);
  });

  it('reports progress, and stops after its iterations', () => {
    const { history } = simulate(50, 300, 3);
    const told: RefitProgress[] = [];
    const fit = refitHive(history, { iterations: 3, tolerance: 1e-12 }, (progress) => told.push(progress));
    expect(told.map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
    expect(fit.iterations).toBe(3);
    expect(fit.converged).toBe(false);
    expect(fit.logPosterior).toBe(told.at(-1)?.height);
  });

  it('names invalid input', () => {
    const fair: RefitMatch = { teams: [['a'], ['b']], outcome: 1 };
    expect(() => refitHive([fair, { ...fair, outcome: NaN }])).toThrow(/Match 2 .* outcome of NaN/);
    expect(() => refitHive([{ ...fair, odds: Infinity }])).toThrow(/Match 1 .* log-odds/);
    expect(() => refitHive([{ ...fair, weights: [[1], []] }])).toThrow(/Match 1 .* weight of NaN/);
    expect(() => refitHive([{ ...fair, weights: [[1], [-1]] }])).toThrow(/Match 1 .* weight of -1/);
  });
});
