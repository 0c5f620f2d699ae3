import type { PoolRulesBody } from '@muster/contracts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { number, numberWithin } from '../operator/options.js';
import { wholeNumber } from '../up/options.js';
import { parametersWith, setting, type Settings } from './settings.js';

/** A pool's rules on the command line; absent ones were not given. */
export interface RuleOptions {
  readonly set?: Settings;
  readonly aggregation?: PoolRulesBody['aggregation'];
  readonly circumstances?: PoolRulesBody['circumstances'];
  readonly partyBonus?: PoolRulesBody['partyBonus'];
  readonly serverResults?: boolean;
  readonly shadowMatches?: number;
  readonly shadowCap?: number | 'none';
  readonly divisions?: PoolRulesBody['divisions'];
  readonly divisionMargin?: number | 'default';
  readonly staleAfter?: number;
  readonly convergedBelow?: number;
}

/** The help text of the rule options. */
export const ruleHelp = `
--set name=value sets a parameter of the model, once for each; "muster pool models" shows which there are. --set
name=default takes the model's own again. --divisions names them from the lowest, each with the rating that it begins at:
"Bronze, Silver=20, Gold=30".`;

/** Adds the options for the rules of a pool. */
export function ruleOptions(command: Command): Command {
  return command
    .option('--set <name=value>', 'a parameter of the model; repeatable', setting)
    .addOption(
      new Option('--aggregation <how>', 'how teams of different size are compared').choices([
        'mean',
        'sum',
        'learned',
      ]),
    )
    .option(
      '--circumstances <list>',
      'situations whose effect is learned: any of side,map,venue, or none',
      circumstances,
    )
    .addOption(
      new Option('--party-bonus <how>', 'the bonus of players in a party').choices([
        'none',
        'fixed',
        'learned',
      ]),
    )
    .option(
      '--shadow-matches <n>',
      'number of matches during which a rating is hidden from its player',
      wholeNumber(0, 10_000),
    )
    .option('--shadow-cap <rating>', 'the maximum rating at the end of that, or none', numberOr('none'))
    .option('--divisions <list>', 'the divisions, or default', divisions)
    .option(
      '--division-margin <rating>',
      'distance past a border at which the division changes, or default',
      numberOr('default'),
    )
    .option(
      '--stale-after <days>',
      'time without a match after which a rating is stale',
      numberWithin(0.01, 3_650),
    )
    .option(
      '--converged-below <share>',
      'fraction of the start uncertainty below which a rating has converged',
      numberWithin(0.01, 1),
    )
    .option('--server-results', 'the server key may report to the pool although a queue uses it')
    .option('--no-server-results', 'the server key may not report if a queue uses the pool');
}

/**
 * The given rules in the API's form.
 *
 * @param before the present parameters, which stay if not set; none for another model
 */
export function rulesOf(options: RuleOptions, before: Settings = {}): PoolRulesBody {
  const { set, aggregation, partyBonus, shadowMatches, shadowCap, divisionMargin, convergedBelow } = options;
  const given = {
    parameters: set && parametersWith(before, set),
    aggregation,
    circumstances: options.circumstances,
    partyBonus,
    shadowMatches,
    shadowCap: shadowCap === 'none' ? null : shadowCap,
    divisions: options.divisions,
    divisionMargin: divisionMargin === 'default' ? null : divisionMargin,
    staleAfterDays: options.staleAfter,
    convergedBelow,
    serverResults: options.serverResults,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const kinds = ['side', 'map', 'venue'] as const;

function circumstances(text: string): (typeof kinds)[number][] {
  const names = new Set(text.split(',').map((name) => name.trim()));
  if (names.size === 1 && names.has('none')) return [];
  const known = kinds.filter((kind) => names.has(kind));
  if (known.length !== names.size)
    throw new InvalidArgumentError(`Give some of ${kinds.join(',')} separated by commas, or none.`);
  return known;
}

function divisions(text: string): { name: string; from: number | null }[] {
  if (text.trim() === 'default') return [];
  return text.split(',').map((each, i) => {
    const [name = '', from = '', ...more] = each.split('=').map((part) => part.trim());
    const value = Number(from);
    const fits = i === 0 ? from === '' : from !== '' && Number.isFinite(value);
    if (name === '' || !fits || more.length > 0)
      throw new InvalidArgumentError(
        'Give names from the lowest, each but the first with its lower border: "Bronze, Silver=20, Gold=30".',
      );
    return { name, from: i === 0 ? null : value };
  });
}

/** A number, or the word for none. */
function numberOr<W extends string>(word: W): (text: string) => number | W {
  return (text) => (text.trim() === word ? word : number(text));
}
