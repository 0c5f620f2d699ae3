import { PoolRulesBody } from '@muster/contracts';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { take } from '../calls/take.js';
import { ruleTakes } from './takes.js';

/** The rules that options mean. */
function rulesFrom(args: readonly string[]): object {
  const command = new Command('change').exitOverride().configureOutput({ writeErr: () => undefined });
  const given = take(command, 'changePool', { ...ruleTakes, without: ['model'] });
  command.parse(['ladder', ...args], { from: 'user' });
  const { pool, ...rules } = given();
  expect(pool).toBe('ladder');
  return rules;
}

describe('the rules of a pool on the command line', () => {
  it('are omitted where they were not given', () => {
    expect(rulesFrom([])).toEqual({});
  });

  it('cover all rules of the API', () => {
    const args = `--set k=24 --set team=sum --aggregation sum --circumstances venue,side --party-bonus fixed --shadow-matches 10
      --shadow-cap -2.5 --divisions Low,Mid=-1,High=30 --division-margin default --stale-after 0.5 --converged-below 0.3
      --inactivity after=30,forgotten=365,decay=High:0.02 --aspects side=0.3,role=1 --no-server-results
      --season keep=0.75,uncertainty=0.5,placement=10 --boosters matches=5,factor=1.5 --integrity uncertainty=0.5,every=20
      --placement least=0.2 --results scores=lower,kills=0:200,score=:9 --short-handed odds=4,leavers=share`;
    const rules = rulesFrom(args.split(/\s+/));
    expect(rules).toEqual({
      parameters: { k: 24, team: 'sum' },
      aggregation: 'sum',
      circumstances: ['venue', 'side'],
      partyBonus: 'fixed',
      shadowMatches: 10,
      shadowCap: -2.5,
      divisions: [
        { name: 'Low', from: null },
        { name: 'Mid', from: -1 },
        { name: 'High', from: 30 },
      ],
      divisionMargin: null,
      staleAfterDays: 0.5,
      convergedBelow: 0.3,
      inactivity: { afterDays: 30, forgottenAfterDays: 365, decay: { division: 'High', perDay: 0.02 } },
      aspects: { side: 0.3, role: 1 },
      serverResults: false,
      season: { keep: 0.75, uncertainty: 0.5, placementMatches: 10 },
      boosters: { matches: 5, kFactor: 1.5, divisions: 1 },
      integrity: { uncertainty: 0.5, everyDays: 20 },
      placement: { leastR2: 0.2, minMatches: 200, window: 10 },
      results: { scores: 'lower-wins', stats: { kills: { min: 0, max: 200 }, score: { max: 9 } } },
      shortHanded: { odds: 4, leavers: 'share', mates: 0.75 },
    });
    expect(PoolRulesBody.safeParse(rules).success).toBe(true);
  });

  it('may be none or the default', () => {
    const args = `--circumstances none --divisions default --shadow-cap none --inactivity none --aspects none --integrity none
      --placement on --results default`;
    expect(rulesFrom(args.split(/\s+/))).toEqual({
      circumstances: [],
      divisions: [],
      shadowCap: null,
      inactivity: null,
      aspects: null,
      integrity: null,
      placement: { leastR2: 0.1, minMatches: 200, window: 10 },
      results: null,
    });
    expect(rulesFrom(['--integrity', 'watch'])).toEqual({ integrity: {} });
  });

  it.each([
    [['--aspects', 'weather=1'], 'Give some of side, map, venue, role'],
    [['--circumstances', 'weather'], 'must be one of'],
    [['--divisions', 'Low=3=4'], 'has more than name=from'],
    [['--stale-after', '0'], 'must be at least 0.01'],
    [['--shadow-cap', 'much'], 'must be a number'],
    [['--inactivity', 'forgotten=30'], 'afterDays is missing'],
    [['--inactivity', 'after=30, decay=0.1'], 'decay'],
    [['--inactivity', 'after=30, x=1'], 'has no part "x", but afterDays'],
    [['--boosters', 'matches=0'], 'matches must be at least 1'],
    [['--boosters', 'matches=5, k=2'], 'has no part "k"'],
    [['--season', 'keep=2, uncertainty=0.5, placement=10'], 'keep must be at most 1'],
    [['--set', 'k'], 'Give a name and a value, such as'],
    [['--aggregation', 'max'], 'Allowed choices are mean, sum, learned'],
  ])('explain the expected form of %j', (args, sentence) => {
    expect(() => rulesFrom(args)).toThrow(sentence);
  });
});
