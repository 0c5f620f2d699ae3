import { seededRandom } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SkillState } from './model.js';
import { modelKinds, modelOf } from './models.js';
import type { ModelParameters } from './parameters.js';
import { rangeFlaw, validRange } from './valid-range.js';

const facts = { place: 1, kills: 3, deaths: 2, power: 300, scoredFor: 2, scoredAgainst: 1, command: 0 };
const settings: readonly { readonly name: string; readonly given: ModelParameters }[] = [
  ...modelKinds.map(({ name }) => ({ name, given: {} })),
  { name: 'glicko2', given: { periodDays: 7 } },
  { name: 'synelo', given: { kMax: 1, window: 6 } },
  { name: 'elo', given: { curve: 'normal' } },
];

describe.each(settings)('the valid range in $name $given', ({ name, given }) => {
  const model = modelOf(name, given);
  const { mu: means, sigma: sigmas } = model.range;
  const start = model.belief(model.initial());

  it('contains a newcomer, and only finite numbers', () => {
    expect(rangeFlaw(start, model.range, name)).toBeNull();
    for (const end of [...means, ...sigmas]) expect(Number.isFinite(end)).toBe(true);
    for (const mu of [1e308, -1e308, Infinity, NaN])
      expect(rangeFlaw({ mu }, model.range, name)).toMatchObject({ what: 'mu' });
    for (const sigma of [1e308, 0, -1, NaN])
      expect(rangeFlaw({ ...start, sigma }, model.range, name)).toMatchObject({ what: 'sigma' });
  });

  it('is accepted at every point', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b) => {
          const mu = means[0] + a * (means[1] - means[0]);
          const sigma = sigmas[0] * (sigmas[1] / sigmas[0]) ** b;
          if (!isHeld(mu)) return;
          expect(model.flaw(model.seed({ mu, sigma: Math.min(sigmas[1], sigma) }))).toBeNull();
        },
      ),
    );
  });

  it('bounds the rating of opponents who meet a player at its ends', () => {
    const most = Math.max(means[1] - start.mu, start.mu - means[0]);
    for (const mu of means.filter(isHeld))
      for (const ranks of [
        [1, 2],
        [2, 1],
      ]) {
        const teams = [[model.seed({ mu, sigma: start.sigma })], [model.initial()]];
        const rated = model.rate({ teams, facts: [[facts], [facts]], at: 0 }, ranks);
        for (const state of rated.flat())
          expect(Math.abs(model.belief(state).mu - start.mu)).toBeLessThanOrEqual(most + 1e-9 * most);
      }
  });

  it('changes only the mean of a player', () => {
    const results = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(results, fc.double({ min: -2, max: 2, noNaN: true }), (won, by) => {
        const player = played(won);
        const before = model.belief(player);
        const mu = Math.min(means[1], Math.max(means[0], start.mu + by * start.sigma));
        const moved = model.moved(player, mu);
        const after = model.belief(moved);
        expect(Math.abs(after.mu - mu)).toBeLessThanOrEqual(
          name === 'synelo' ? 0.5 : 1e-9 * Math.abs(mu) + 1e-9,
        );
        // The width of a log weight is that of its mean score; SynElo's includes K, which follows the rating.
        if (!name.startsWith('log-weights') && name !== 'synelo')
          expect(after.sigma).toBeCloseTo(before.sigma, 9);
        expect(remembered(moved)).toEqual(remembered(player));
        expect(model.belief(model.moved(player, before.mu))).toEqual(before);
      }),
    );
  });

  /** SynElo has a minimum rating: lower values become the minimum. */
  function isHeld(mu: number): boolean {
    return name !== 'synelo' || mu >= 0;
  }

  function played(won: readonly boolean[]): SkillState {
    return won.reduce((player: SkillState, win, i) => {
      const teams = [[player], [model.initial()]];
      return (
        model.rate({ teams, facts: [[facts], [facts]], at: i * 86_400_000 }, win ? [1, 2] : [2, 1])[0]?.[0] ??
        player
      );
    }, model.initial());
  }

  /** The content of a state beside mean and uncertainty. */
  function remembered(state: SkillState): unknown {
    const brief: unknown = model.brief(state);
    const { games, rounds, matches, convergence, volatility, open, commander } = brief as Record<
      string,
      unknown
    >;
    return { games, rounds, matches, convergence, volatility, open, commander };
  }
});

describe('a rating out of range', () => {
  it('is refused with the valid range', () => {
    expect(rangeFlaw({ mu: 1e308 }, validRange(25, 25 / 3), 'trueskill')?.message).toBe(
      'must be a number from -808.333 to 858.333 in this pool of trueskill, not 1e+308',
    );
    expect(rangeFlaw({ mu: 25, sigma: 0 }, validRange(25, 5), 'trueskill')?.message).toMatch(/500.*not 0$/);
    expect(rangeFlaw({ mu: 25 }, validRange(25, 5), 'trueskill')).toBeNull();
  });

  it('is beyond any rating reachable by playing', () => {
    const random = seededRandom(3);
    const model = modelOf('openskill-thurstone-mosteller-full');
    let [strong, weak] = [model.initial(), model.initial()];
    for (let i = 0; i < 3_000; i++) {
      const [[a], [b]] = model.rate({ teams: [[strong], [weak]] }, random() < 0.9999 ? [1, 2] : [2, 1]) as [
        [SkillState],
        [SkillState],
      ];
      [strong, weak] = [a, b];
    }
    expect(rangeFlaw(model.belief(strong), model.range, model.name)).toBeNull();
  });
});
