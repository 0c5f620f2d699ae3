import { PoolRulesBody } from '@muster/contracts';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { ruleOptions, rulesOf, type RuleOptions } from './rule-options.js';
import type { Settings } from '@muster/command-line/options/settings';

function rulesFrom(args: readonly string[], before: Settings = {}): object {
  const command = ruleOptions(new Command('change'))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  command.parse(args, { from: 'user' });
  return rulesOf(command.opts<RuleOptions>(), before);
}

describe('ruleOptions', () => {
  it('omits rules that were not given', () => {
    expect(rulesFrom([])).toEqual({});
  });

  it('covers all rules of the API', () => {
    const rules = rulesFrom(
      `--set k=24 --set team=sum --aggregation sum --circumstances venue,side --party-bonus fixed --shadow-matches 10
      --shadow-cap -2.5 --divisions Low,Mid=-1,High=30 --division-margin default --stale-after 0.5 --converged-below 0.3 --inactivity after=30,forgotten=365,decay=High:0.02 --aspects side=0.3,role=1`.split(
        /\s+/,
      ),
      { curve: 'normal', k: 20 },
    );
    expect(rules).toEqual({
      parameters: { curve: 'normal', k: 24, team: 'sum' },
      aggregation: 'sum',
      circumstances: ['side', 'venue'],
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
      inactivity: {
        afterDays: 30,
        forgottenAfterDays: 365,
        decay: { division: 'High', perDay: 0.02 },
      },
      aspects: { side: 0.3, role: 1 },
    });
    expect(PoolRulesBody.safeParse(rules).success).toBe(true);
  });

  it('accepts words for none and for the default', () => {
    expect(
      rulesFrom([
        '--circumstances',
        'none',
        '--divisions',
        'default',
        '--shadow-cap',
        'none',
        '--inactivity',
        'none',
        '--aspects',
        'none',
        '--integrity',
        'none',
        '--placement',
        'none',
        '--results',
        'default',
      ]),
    ).toEqual({
      integrity: null,
      placement: null,
      results: null,
      inactivity: null,
      aspects: null,
      circumstances: [],
      divisions: [],
      shadowCap: null,
    });
  });

  it.each([
    [['--aspects', 'weather=1'], 'Give some of side, map, venue, role'],
    [['--aspects', 'side'], 'Give some of side, map, venue, role'],
    [['--aspects', 'side=0'], 'must be at least 0.001, not 0.'],
    [['--aspects', 'side=9'], 'must be at most 3, not 9'],
    [['--aspects', 'side=1,side=2'], 'Name each aspect once.'],
    [['--circumstances', 'weather'], 'Give some of side,map,venue'],
    [['--divisions', 'Low=3, High=4'], 'Give names from the lowest'],
    [['--divisions', 'Low, High'], 'Give names from the lowest'],
    [['--stale-after', '0'], 'Give a number from 0.01 to 3650'],
    [['--shadow-cap', 'much'], 'Give a number'],
    [['--inactivity', 'forgotten=30'], 'Give days, and a division'],
    [['--inactivity', 'after=30, decay=0.1'], 'Give days, and a division'],
    [['--inactivity', 'after=soon'], 'Give a number'],
    [['--aggregation', 'max'], 'Allowed choices are mean, sum, learned'],
  ])('explains the expected form of %j', (args, sentence) => {
    expect(() => rulesFrom(args)).toThrow(sentence);
  });
});
