import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, SkillState } from '../model.js';
import { modelKinds, modelOf } from '../models.js';
import type { ModelParameters } from '../parameters.js';
import { atSeasonStart, softReset } from './season.js';

const start = { mu: 1500, sigma: 350 };
const share = fc.double({ min: 0, max: 1, noNaN: true });
const reset = fc.record({ keep: share, uncertainty: share });
const mean = fc.double({ min: -1e4, max: 1e4, noNaN: true });
const belief = fc.record({ mu: mean, sigma: fc.double({ min: 1e-3, max: 1e3, noNaN: true }) });

describe('soft reset', () => {
  it('keeps a share of the distance, and restores a share of the uncertainty', () => {
    const rules = { keep: 0.75, uncertainty: 0.5 };
    expect(softReset({ mu: 1900, sigma: 60 }, start, rules)).toEqual({ mu: 1800, sigma: 175 });
    expect(softReset({ mu: 1100, sigma: 200 }, start, rules)).toEqual({ mu: 1200, sigma: 200 });
  });

  it('changes nothing when everything is kept, and leaves a newcomer as they are', () => {
    fc.assert(
      fc.property(belief, reset, (given, rules) => {
        expect(softReset(given, start, { keep: 1, uncertainty: 0 })).toEqual(given);
        expect(softReset(start, start, rules)).toEqual(start);
      }),
    );
  });

  it('never swaps two ranks, never leads away from the start value, never lowers the uncertainty', () => {
    fc.assert(
      fc.property(belief, belief, reset, (one, other, rules) => {
        const [low, high] = one.mu <= other.mu ? [one, other] : [other, one];
        const after = softReset(low, start, rules);
        expect(after.mu).toBeLessThanOrEqual(softReset(high, start, rules).mu);
        expect(Math.abs(after.mu - start.mu)).toBeLessThanOrEqual(Math.abs(low.mu - start.mu) + 1e-9);
        expect(after.sigma).toBeGreaterThanOrEqual(Math.max(low.sigma, rules.uncertainty * start.sigma));
      }),
    );
  });
});

describe('the start of a season', () => {
  it.each(modelKinds.map(({ name }) => name))('%s: resets a played rating', (name) => {
    const model = modelOf(name);
    const newcomer = model.belief(model.initial());
    const teams = [[model.initial()], [model.initial()]];
    const facts = teams.map(() => [
      { place: 1, kills: 3, deaths: 2, power: 300, scoredFor: 10, scoredAgainst: 5, command: 0.5 },
    ]);
    let [[won] = []] = model.rate({ teams, facts }, [1, 2]);
    for (let i = 0; i < 20; i++)
      won = model.rate({ teams: [[won ?? model.initial()], [model.initial()]], facts }, [1, 2])[0]?.[0];
    const before = model.belief(won ?? model.initial());

    const same = atSeasonStart(model, won ?? model.initial(), newcomer, {
      keep: 1,
      uncertainty: 0,
      everyPart: true,
    });
    expect(model.belief(same)).toEqual(before);

    const after = model.belief(
      atSeasonStart(model, won ?? model.initial(), newcomer, { keep: 0.5, uncertainty: 1, everyPart: true }),
    );
    expect(after.sigma).toBeGreaterThanOrEqual(before.sigma);
    const [far, near] = [Math.abs(before.mu - newcomer.mu), Math.abs(after.mu - newcomer.mu)];
    expect(near).toBeLessThanOrEqual(far * 0.5 + Math.max(1, 0.05 * newcomer.sigma));
  });
});

/** What the uncertainty of a state is made of, and how much of it is left: all else stays when means are kept. */
const uncertain: Readonly<Record<string, readonly string[]>> = {
  glicko2: ['deviation', 'open'],
  elo: ['games'],
  synelo: ['rounds', 'window'],
  hive: ['rounds'],
  'log-weights': ['total', 'mass'],
  'log-weights-scores': ['total', 'mass'],
  'log-weights-kills': ['total', 'mass'],
  'pub-power': ['values'],
  'performance-weight': ['games'],
};
/** The count of all games of a player, which tells no uncertainty. */
const counts = ['log-weights', 'log-weights-scores', 'log-weights-kills'];

const settings: readonly (readonly [name: string, parameters: ModelParameters])[] = [
  ...modelKinds.map(({ name }) => [name, {}] as const),
  ['glicko2', { periodDays: 7 }],
  ['hive', { commanderStart: 2 }],
  ['elo', { kRule: 'layered' }],
];

describe.each(settings)('every part of a state at the start of a season: %s %j', (name, parameters) => {
  const model = modelOf(name, parameters);
  const newcomer = model.belief(model.initial());
  /** A player after some matches, each won or lost, with what the models read of a player. */
  const played = fc
    .array(
      fc.record({
        won: fc.boolean(),
        facts: fc.record({
          place: fc.integer({ min: 1, max: 8 }),
          kills: fc.nat(20),
          deaths: fc.nat(20),
          power: fc.integer({ min: 1, max: 900 }),
          scoredFor: fc.nat(9),
          scoredAgainst: fc.nat(9),
          command: fc.constantFrom(0, 0.5, 1),
        }),
      }),
      { minLength: 1, maxLength: 30 },
    )
    .map((matches) =>
      matches.reduce<SkillState>((state, { won, facts }, day) => {
        const contest = {
          teams: [[state], [model.initial()]],
          facts: [[facts], [facts]],
          at: Date.UTC(2026, 0, 1 + 3 * day),
        };
        return model.rate(contest, won ? [1, 2] : [2, 1])[0]?.[0] ?? state;
      }, model.initial()),
    );
  const begun = (state: SkillState, keep: number, uncertainty: number): SkillState =>
    atSeasonStart(model, state, newcomer, { keep, uncertainty, everyPart: true });
  const written = (state: SkillState): Record<string, Json> => ({ ...(model.write(state) as object) });
  const near = (one: number, other: number): void =>
    expect(Math.abs(one - other)).toBeLessThanOrEqual(name === 'synelo' ? 0.5 : 1e-6 * (1 + Math.abs(other)));

  it('keeps all of it where all is kept, and raises uncertainty alone where means are', () => {
    fc.assert(
      fc.property(played, share, (state, uncertainty) => {
        expect(model.write(begun(state, 1, 0))).toEqual(model.write(state));
        const after = begun(state, 1, uncertainty);
        near(model.belief(after).mu, model.belief(state).mu);
        expect(model.belief(after).sigma).toBeGreaterThanOrEqual(model.belief(state).sigma * (1 - 1e-9));
        const [was, is] = [written(state), written(after)];
        const isOpen = 'open' in was;
        for (const [part, value] of Object.entries(was))
          if (!(uncertain[name] ?? ['sigma']).includes(part) && !isOpen) {
            if (typeof value === 'number') near(Number(is[part]), value);
            else expect(is[part]).toEqual(value);
          }
      }),
      { numRuns: 50 },
    );
  });

  it('makes a newcomer where nothing is kept and all uncertainty restored', () => {
    fc.assert(
      fc.property(played, (state) => {
        const is = written(begun(state, 0, 1));
        if (counts.includes(name)) is['games'] = 0;
        if ('open' in is) {
          // The open period has no games; its end adds the wandering of a newcomer.
          expect(model.belief(begun(state, 0, 1)).mu).toBeCloseTo(newcomer.mu, 9);
          expect(model.belief(begun(state, 0, 1)).sigma).toBeCloseTo(newcomer.sigma, 9);
        } else expect(is).toEqual(written(model.initial()));
      }),
      { numRuns: 50 },
    );
  });

  it('moves every mean toward the start, the less the more is kept', () => {
    fc.assert(
      fc.property(played, share, share, share, (state, one, other, uncertainty) => {
        const [least, most] = one <= other ? [one, other] : [other, one];
        const means = [0, least, most, 1].map((keep) => begun(state, keep, uncertainty));
        const distances = means.map((each) => Math.abs(model.belief(each).mu - newcomer.mu));
        const second = means.map((each) =>
          'commander' in each
            ? Math.abs(Number(each.commander) - Number(parameters['commanderStart'] ?? 0))
            : 0,
        );
        for (const by of [distances, second])
          for (let i = 1; i < by.length; i++)
            expect(by[i]).toBeGreaterThanOrEqual((by[i - 1] ?? 0) - (name === 'synelo' ? 1 : 1e-6));
      }),
      { numRuns: 50 },
    );
  });
});

it('keeps a commander, and the order of recent games', () => {
  const everything = { keep: 1, uncertainty: 1, everyPart: true } as const;
  const hive = modelOf('hive');
  const commander = { skill: 12, commander: 0.9947, rounds: 40 };
  expect(atSeasonStart(hive, commander, hive.belief(hive.initial()), everything)).toEqual({
    skill: 12,
    commander: 0.9947,
    rounds: 0,
  });
  const power = modelOf('pub-power');
  const values = [2, 20, 3, 9, 11];
  const half = atSeasonStart(power, { values }, power.belief(power.initial()), {
    ...everything,
    uncertainty: 0.5,
  });
  expect(power.write(half)).toEqual({ values: [3, 9, 11].map((value) => value + 9 - 23 / 3) });
});

it('resets as it did where a season began under an earlier release', () => {
  const hive = modelOf('hive');
  const given = { skill: 12, commander: 0.9947, rounds: 40 };
  expect(atSeasonStart(hive, given, hive.belief(hive.initial()), { keep: 1, uncertainty: 1 })).toMatchObject({
    commander: 0,
  });
});
