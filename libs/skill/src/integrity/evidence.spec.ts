import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noEvidence, ratioOf, shifted, tempered, withMatch, type Evidence, type Onset } from './evidence.js';
import { newNewcomer, newcomerLevels, watchNewcomer } from './newcomer.js';
import { watchServer, newServer, type ServerWatch } from './server.js';
import { newThrown, watchThrown, type ThrownWatch } from './thrown.js';

const chance = fc.double({ min: 0.02, max: 0.98, noNaN: true });
const matches = fc.array(fc.record({ chance, won: fc.boolean() }), { maxLength: 60 });
const onset = fc.record({
  patience: fc.option(fc.integer({ min: 1, max: 100 }), { nil: null }),
  switching: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** The mean over outcomes of the evidence after a match, over that before it: 1 for a martingale. */
function growth(before: number, after: (outcome: number) => number, honest: number): number {
  return honest * Math.exp(after(1) - before) + (1 - honest) * Math.exp(after(0) - before);
}

describe('evidence', () => {
  it('is a martingale for honest play, whatever came before', () => {
    fc.assert(
      fc.property(
        matches,
        fc.array(chance, { minLength: 1, maxLength: 5 }),
        chance,
        onset,
        (past, ways, p, rules) => {
          const step = (evidence: Evidence, honest: number, outcome: number): Evidence =>
            withMatch(
              evidence,
              ways.map((cheat) => ratioOf(honest, cheat, outcome)),
              rules,
            );
          const before = past.reduce(
            (evidence, each) => step(evidence, each.chance, Number(each.won)),
            noEvidence(ways.length),
          );
          expect(growth(before.log, (outcome) => step(before, p, outcome).log, p)).toBeCloseTo(1, 9);
          expect(before.shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
          expect(before.matches).toBe(past.length);
        },
      ),
    );
  });

  it('equals the likelihood ratio by its definition, where the cheat is there from the first match on', () => {
    const always: Onset = { patience: null, switching: 0 };
    fc.assert(
      fc.property(matches, chance, chance, (past, one, other) => {
        const evidence = past.reduce(
          (before, { chance: p, won }) =>
            withMatch(before, [ratioOf(p, one, Number(won)), ratioOf(p, other, Number(won))], always),
          noEvidence(2),
        );
        const likelihood = (of: (p: number) => number): number =>
          past.reduce((product, { chance: p, won }) => product * (won ? of(p) : 1 - of(p)), 1);
        const cheat = (likelihood(() => one) + likelihood(() => other)) / 2;
        expect(evidence.log).toBeCloseTo(Math.log(cheat / likelihood((p) => p)), 6);
      }),
    );
  });

  it('begins at a match with the chance that the patience says', () => {
    const after = withMatch(noEvidence(1), [3], { patience: 4, switching: 0 });
    expect(Math.exp(after.log)).toBeCloseTo(0.75 + 0.25 * 3, 12);
    const later = withMatch(after, [1], { patience: 4, switching: 0 });
    expect(later.shares[0]).toBeCloseTo((0.75 * 0.8) / (0.75 + 0.75), 12);
  });

  it('counts a draw as half a win', () => {
    expect(ratioOf(0.5, 0.8, 0.5)).toBeCloseTo(1, 12);
    expect(ratioOf(0.25, 0.5, 1)).toBe(2);
    expect(shifted(0.5, Math.log(3))).toBeCloseTo(0.75, 12);
    expect([tempered(0), tempered(1), tempered(0.5)]).toEqual([0.02, 0.98, 0.5]);
  });
});

describe('the evidence of each signal', () => {
  const outcome = fc.constantFrom(0, 1);

  it('of thrown matches is a martingale', () => {
    fc.assert(
      fc.property(matches, chance, (past, p) => {
        const before = past.reduce<ThrownWatch>(
          (watch, each) => watchThrown(watch, each.chance, Number(each.won)),
          newThrown,
        );
        const log = before.evidence.log;
        expect(growth(log, (result) => watchThrown(before, p, result).evidence.log, p)).toBeCloseTo(1, 9);
      }),
    );
  });

  it('of newcomers is a martingale for newcomers whose level is normal about the start value', () => {
    const chancesAt = fc.array(chance, {
      minLength: newcomerLevels.length,
      maxLength: newcomerLevels.length,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(chancesAt, outcome), { maxLength: 15 }), chancesAt, (past, next) => {
        const before = past.reduce(
          (watch, [chances, result]) => watchNewcomer(watch, 0.5, chances, result) ?? watch,
          newNewcomer,
        );
        const honest = before.levels.reduce((sum, share, i) => sum + share * (next[i] ?? 0), 0);
        const after = (result: number): number =>
          (watchNewcomer(before, 0.5, next, result) ?? before).evidence.log;
        expect(growth(before.evidence.log, after, honest)).toBeCloseTo(1, 9);
      }),
    );
  });

  it('of servers is a martingale, for any number of teams', () => {
    const match = fc.integer({ min: 2, max: 6 }).chain((teams) =>
      fc.record({
        chances: fc
          .array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: teams, maxLength: teams })
          .map((weights) => weights.map((each) => each / weights.reduce((sum, one) => sum + one, 0))),
        winner: fc.integer({ min: 0, max: teams - 1 }),
      }),
    );
    const play = (watch: ServerWatch, chances: readonly number[], winner: number): ServerWatch =>
      watchServer(watch, { chances, ranks: chances.map((_, t) => (t === winner ? 1 : 2)) });
    fc.assert(
      fc.property(fc.array(match, { maxLength: 40 }), match, (past, { chances }) => {
        const before = past.reduce((watch, each) => play(watch, each.chances, each.winner), newServer);
        const honest = chances.map(tempered);
        const all = honest.reduce((sum, each) => sum + each, 0);
        const mean = chances.reduce(
          (sum, _, t) =>
            sum +
            ((honest[t] ?? 0) / all) * Math.exp(play(before, chances, t).evidence.log - before.evidence.log),
          0,
        );
        expect(mean).toBeCloseTo(1, 9);
      }),
    );
  });
});
