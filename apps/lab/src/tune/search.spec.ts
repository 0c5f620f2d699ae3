import { seededRandom, type MatchEvent } from '@muster/domain';
import type { HistoricMatch } from '@muster/lab-simulation';
import { defaultPoolRules } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { pairedGain } from './gain.js';
import { historicMatch, type TuneHistory } from './history.js';
import { changeFlaw, changeTo, tune } from './search.js';
import { tunedText } from './summary.js';

const rules: TuneHistory['rules'] = {
  model: 'elo',
  parameters: { k: 1 },
  aggregation: 'learned',
  circumstances: [],
  partyBonus: 'none',
};

/** Duels of 16 players, each better than the one before, with scores that follow their difference. */
function duels(
  count: number,
  more: { readonly scores?: boolean; readonly seed?: number } = {},
): HistoricMatch[] {
  const random = seededRandom(more.seed ?? 3);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: count }, (_, i) => {
    const one = Math.floor(random() * 16);
    const other = (one + 1 + Math.floor(random() * 15)) % 16;
    const lead = Math.round(3 * (one - other) + 30 * normal()) || 1;
    const scores = [100 + Math.max(0, lead), 100 + Math.max(0, -lead)];
    return {
      players: [[`p${one}`], [`p${other}`]],
      ranks: lead > 0 ? [1, 2] : [2, 1],
      at: i * 60_000,
      facts: more.scores
        ? scores.map((score, t) => [{ scoredFor: score, scoredAgainst: scores[1 - t] }])
        : undefined,
    };
  });
}

describe('tuning on a history', () => {
  it('finds rules that predict better than poor ones, and says what they gain', () => {
    const tuned = tune({ matches: duels(900), rules });
    expect(tuned).toMatchObject({ matches: 900, choosingMatches: 540, judgedMatches: 180, lead: null });
    expect(tuned.better?.gain.from).toBeGreaterThan(0);
    expect(tuned.attempts[0]?.choosing).toBeLessThan(tuned.now.choosing);
    expect(tuned.attempts.some(({ rules: { parameters } }) => parameters['kRule'] === 'decay')).toBe(true);
    expect(tuned.attempts.some(({ stacked }) => stacked?.length === 3)).toBe(true);
    expect(tuned.notApplicable.map(({ model }) => model)).toContain('pub-power');
    const text = tunedText('season', 'season', tuned).join('\n');
    expect(text).toContain('540 decided matches choose, the last 180 tell the gain.');
    expect(text).toMatch(/^\* \S.* \+0\.\d{4} +\+0\.\d{4} to \+0\.\d{4}$/m);
    expect(text).toMatch(/"muster pools tune season --apply" changes .*: --model \S+/);
  });

  it('does not choose, and names, models that the rules of the pool refuse', () => {
    const pool = {
      ...defaultPoolRules,
      ...rules,
      model: 'glicko2',
      parameters: {},
      integrity: { uncertainty: 0.5 },
    };
    const tuned = tune({ matches: duels(900), rules: { ...rules, model: 'glicko2', parameters: {} }, pool });
    const models = new Set(tuned.attempts.map((attempt) => attempt.rules.model));
    const refused = new Map(tuned.notApplicable.map(({ model, reason }) => [model, reason]));
    for (const model of ['elo', 'synelo', 'hive', 'log-weights', 'pub-power']) {
      expect(models).not.toContain(model);
      expect(refused.get(model)).toMatch(/cannot be raised by signals/);
    }
    expect(models).toContain('trueskill');
    // Once by model, without its variants.
    expect([...refused.keys()].filter((name) => name.startsWith('elo'))).toEqual(['elo']);
    expect(tunedText('season', 'season', tuned).join('\n')).toMatch(
      /^Not applicable:\n(.*\n)* {2}hive: The uncertainty of hive ratings/m,
    );
    if (tuned.better) expect(changeFlaw(changeTo(tuned.better.rules), pool)).toBeNull();
  });

  it('tries margins where there are scores, and they pay where the lead follows the skills', () => {
    const tuned = tune({ matches: duels(900, { scores: true }), rules });
    expect(tuned.lead).toBeGreaterThan(5);
    const margin = tuned.attempts.find(({ rules: { parameters } }) => 'margin' in parameters);
    expect(margin?.gain.mean).toBeGreaterThan(0);
  });

  it('tries skill by aspect where the history has any, and it pays where players differ by it', () => {
    const random = seededRandom(6);
    // Odd players win on the first side, even ones on the second.
    const matches = duels(900).map((match): HistoricMatch => {
      const [one = '', other = ''] = match.players.map(([id = '']) => id);
      const isGood = (id: string, side: number): boolean => Number(id.slice(1)) % 2 === side;
      const lead = Number(isGood(one, 0)) - Number(isGood(other, 1));
      const isFirst = lead === 0 ? random() < 0.5 : lead > 0 === random() < 0.9;
      return { ...match, ranks: isFirst ? [1, 2] : [2, 1], situation: { sides: ['ct', 't'], map: 'dust' } };
    });
    const tuned = tune({ matches, rules });
    const tried = tuned.attempts.filter(({ rules: { aspects }, stacked }) => aspects && !stacked);
    expect(tried).toHaveLength(3);
    expect(
      tried.every(({ rules: { aspects } }) => aspects?.side !== undefined && aspects.map === undefined),
    ).toBe(true);
    expect(tuned.better?.rules.aspects?.side).toBeGreaterThan(0);
    const text = tunedText('season', 'season', tuned).join('\n');
    expect(text).toMatch(/--apply" changes .*: --model \S+.* --aspects "side=\S+"/);
  });

  it('does not choose a side that means nothing', () => {
    const random = seededRandom(9);
    const matches = duels(900).map((match): HistoricMatch => {
      const sides = random() < 0.5 ? ['red', 'blue'] : ['blue', 'red'];
      return { ...match, situation: { sides } };
    });
    const tuned = tune({ matches, rules });
    expect(tuned.attempts.some(({ rules: { aspects } }) => aspects)).toBe(true);
    expect(tuned.better?.rules.aspects).toBeUndefined();
  });

  it('chooses nothing by the last fifth', () => {
    const matches = duels(900);
    const turned = matches.map((match, i) =>
      i < 720 ? match : { ...match, ranks: match.ranks.toReversed() },
    );
    const [one, other] = [matches, turned].map((each) => tune({ matches: each, rules }));
    const choices = (tuned: typeof one): unknown =>
      tuned?.attempts.map(({ rules: { model, parameters }, choosing }) => ({ model, parameters, choosing }));
    expect(choices(other)).toEqual(choices(one));
    expect(one?.better).not.toBeNull();
    expect(other?.better).toBeNull();
    expect(other && tunedText('f.csv', null, other).at(-1)).toMatch(/^Keep the present rules: /);
  });

  it('refuses a short history', () => {
    expect(() => tune({ matches: duels(100), rules })).toThrow(
      'There are 100 matches with a winner; fewer than 250',
    );
    expect(() => tune({ matches: duels(1), rules })).toThrow('There is 1 match with a winner; fewer');
    expect(() =>
      tune({ matches: duels(300), rules: { ...rules, model: 'pub-power', parameters: {} } }),
    ).toThrow('The present rules cannot rate this history');
  });
});

describe('the gain', () => {
  it('is the paired mean with an interval that holds the true one in about 95 % of all samples', () => {
    const random = seededRandom(8);
    const held = Array.from({ length: 400 }, () => {
      const shared = Array.from({ length: 100 }, () => 5 * random());
      const { from, to } = pairedGain(
        shared.map((each) => each + random()),
        shared,
      );
      return Number(from <= 0.5 && 0.5 <= to);
    }).reduce((sum, each) => sum + each, 0);
    expect(held / 400).toBeGreaterThan(0.92);
    expect(held / 400).toBeLessThan(0.98);
    expect(pairedGain([1, 1], [1, 1])).toEqual({ mean: 0, from: 0, to: 0 });
  });
});

it('a match of a ledger has the form of its teams', () => {
  const event: MatchEvent = {
    kind: 'match',
    eventId: 'm1',
    at: 5,
    teams: [['a', 'b'], ['c']],
    ranks: [1, 2],
    played: {
      situation: { map: 'x' },
      shares: { b: 0.5 },
      late: ['b'],
      facts: { a: { scoredFor: 3 } },
      times: { lengthMs: 10, stretches: { c: [{ fromMs: 0, toMs: 5 }] } },
    },
  };
  expect(historicMatch(event)).toEqual({
    players: event.teams,
    ranks: [1, 2],
    at: 5,
    situation: { map: 'x' },
    shares: [[1, 0.5], [1]],
    late: [[false, true], [false]],
    facts: [[{ scoredFor: 3 }, {}], [{}]],
    times: { lengthMs: 10, stretches: [[undefined, undefined], [[{ fromMs: 0, toMs: 5 }]]] },
  });
  expect(historicMatch({ ...event, played: undefined })).toMatchObject({
    shares: undefined,
    facts: undefined,
  });
});
