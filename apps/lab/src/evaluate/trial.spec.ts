import { seededRandom } from '@muster/domain';
import { modelKinds, type ModelKind } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { textBytes, type Bytes } from '../match-file/bytes.js';
import { planHistory, type HistoryPlan } from './history.js';
import { parametersFor, type NotApplicable } from './trial.js';
import { runTrials, type Timed } from './trials.js';

function kindNamed(name: string): ModelKind {
  const kind = modelKinds.find((each) => each.name === name);
  if (!kind) throw new Error(`there is no ${name}`);
  return kind;
}

interface TestHistory {
  readonly bytes: Bytes;
  readonly plan: HistoryPlan;
}

function historyIn(rows: readonly string[], situations = true): TestHistory {
  const bytes = textBytes(['match_id,time,teams,ranks,context', ...rows].join('\n'));
  return { bytes, plan: planHistory(bytes, { situations }).plan };
}

function tryModel(
  kind: ModelKind,
  { bytes, plan }: TestHistory,
  onMatches: (count: number) => void = () => undefined,
): Timed | NotApplicable {
  const [result] = runTrials([kind], bytes, plan, { aggregation: 'learned', settings: {} }, { onMatches });
  if (!result) throw new Error('no result');
  return result;
}

/** Duels of players 0 to 9, each better than the previous one; the home side wins more often. */
function duels(count: number): string[] {
  const random = seededRandom(5);
  return Array.from({ length: count }, (_, i) => {
    const home = Math.floor(random() * 10);
    const away = (home + 1 + Math.floor(random() * 9)) % 10;
    const chance = 1 / (1 + Math.exp(-(0.4 * (home - away) + 0.5)));
    return `m${i},2024-01-01,p${home};p${away},${random() < chance ? '1;2' : '2;1'},`;
  });
}

const race = (i: number): string => `r${i},2024-01-01,a;b;c;d,${(i % 2) + 1};2;3;4,`;

const openskill = kindNamed('openskill-plackett-luce');

describe('the trial of a model', () => {
  it('learns the players’ skills and the home advantage', () => {
    const tried = tryModel(openskill, historyIn(duels(1_000)));
    if ('reason' in tried) throw new Error(tried.reason);
    expect(tried.scored).toBe(800);
    expect(tried.calibrated.logLoss).toBeLessThan(0.6);
    expect(tried.calibrated.accuracy).toBeGreaterThan(0.65);
    expect(tried.calibrated.logLoss).toBeLessThan(tried.raw.logLoss);
    // The order's log-odds are split between the two sides, with opposite signs.
    const { 'side:first': first, 'side:second': second } = tried.offsets;
    expect((first?.mean ?? 0) - (second?.mean ?? 0)).toBeGreaterThan(0.25);
    expect((first?.mean ?? 0) - (second?.mean ?? 0)).toBeLessThan(0.75);
  });

  it('ignores situations if they are disabled', () => {
    expect(tryModel(openskill, historyIn(duels(50), false))).toMatchObject({ offsets: {} });
  });

  it('reports progress', () => {
    let told = 0;
    tryModel(openskill, historyIn(duels(50)), (count) => (told += count));
    expect(told).toBe(50);
  });

  it('predicts from past matches only', () => {
    const rows = duels(100);
    const turned = rows.map((row, i) =>
      i < 99 ? row : row.replace(/1;2|2;1/, (ranks) => (ranks === '1;2' ? '2;1' : '1;2')),
    );
    const [one, other] = [rows, turned].map((each) => tryModel(openskill, historyIn(each)));
    if (!one || !other || 'reason' in one || 'reason' in other) throw new Error('not applicable');
    // Only the last outcome differs: p and 1 − p of the same prediction.
    const [a, b] = [one, other].map(({ raw, scored }) => raw.logLoss * scored);
    const p = 1 / (1 + Math.exp((a ?? 0) - (b ?? 0)));
    expect(p).toBeGreaterThan(0.02);
    expect(p).toBeLessThan(0.98);
    expect(one.raw.reliability.map(({ predicted }) => predicted)).toEqual(
      other.raw.reliability.map(({ predicted }) => predicted),
    );
  });

  it('is not applicable if the file lacks a required fact', () => {
    const history = historyIn(['m1,2024-01-01,a|b;c|d,1;2,']);
    const kind: ModelKind = { ...openskill, needs: ['kills'] };
    expect(tryModel(kind, history)).toEqual({
      model: 'openskill-plackett-luce',
      reason: 'It needs every player’s kills, which a match file does not contain.',
    });
  });

  it('has places in a free-for-all', () => {
    const kind: ModelKind = { ...openskill, needs: ['places'] };
    expect(tryModel(kind, historyIn([0, 1, 2].map(race)))).toMatchObject({
      skipped: 0,
      scored: 3,
    });
  });

  it('has no places in duels', () => {
    expect(tryModel(kindNamed('pub-power'), historyIn(duels(20)))).toEqual({
      model: 'pub-power',
      reason:
        'It needs every player’s place on the scoreboard, which a match file contains only for a free-for-all of three or more players.',
    });
  });

  it('sets the team size of a model that has such a parameter', () => {
    const row = 'm1,2024-01-01,a|b|c;d|e,1;2,';
    const { largestTeam } = historyIn([row, ...duels(3)]).plan;
    expect(parametersFor(kindNamed('synelo'), largestTeam, {})).toEqual({ kMax: 3 });
    expect(parametersFor(openskill, largestTeam, {})).toEqual({});
  });

  it('takes of the settings those that it has', () => {
    const settings = { kMax: 7, tau: 0.5, k: 20 };
    expect(parametersFor(kindNamed('synelo'), 3, settings)).toEqual({ kMax: 7 });
    expect(parametersFor(openskill, 3, settings)).toEqual({ tau: 0.5 });
  });

  it('skips matches that a model rejects, up to half of them', () => {
    const synelo = kindNamed('synelo');
    const some = historyIn([...duels(8), race(0)]);
    expect(tryModel(synelo, some)).toMatchObject({ skipped: 1, scored: 7 });
    expect(tryModel(synelo, historyIn([...duels(2), race(0), race(1), race(2)]))).toMatchObject({
      reason: expect.stringMatching(/It would skip 3 of 5 matches, more than half\.$/) as string,
    });
  });
});
