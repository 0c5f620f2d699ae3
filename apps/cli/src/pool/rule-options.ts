import type { PoolRulesBody } from '@muster/contracts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { number, numberWithin } from '../operator/options.js';
import { wholeNumber } from '../up/options.js';
import { parametersWith, setting, type Settings } from './settings.js';

/** The rules of a pool, as the command line says them; what is left out was not said. */
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

/** How the options are explained below the list of them. */
export const ruleHelp = `
--set name=value sets a parameter of the model, once for each; "muster pool models" shows which there are. --set
name=default takes the model's own again. --divisions names them from the lowest, each with the rating that it begins at:
"Bronze, Silver=20, Gold=30".`;

/** Gives a command the options for the rules of a pool. */
export function ruleOptions(command: Command): Command {
  return command
    .option('--set <name=value>', 'a parameter of the model; may be given again', setting)
    .addOption(
      new Option('--aggregation <how>', 'how teams of different size meet').choices([
        'mean',
        'sum',
        'learned',
      ]),
    )
    .option(
      '--circumstances <list>',
      'what beside skill to learn the worth of: side,map,venue, some of them, or none',
      circumstances,
    )
    .addOption(
      new Option('--party-bonus <how>', 'how much stronger friends are together').choices([
        'none',
        'fixed',
        'learned',
      ]),
    )
    .option(
      '--shadow-matches <n>',
      'so many matches a rating is hidden from its player',
      wholeNumber(0, 10_000),
    )
    .option('--shadow-cap <rating>', 'what a rating is at most when that ends, or none', numberOr('none'))
    .option('--divisions <list>', 'the divisions, or default', divisions)
    .option(
      '--division-margin <rating>',
      'how far past a border the division changes, or default',
      numberOr('default'),
    )
    .option(
      '--stale-after <days>',
      'without a match for so long a rating is stale',
      numberWithin(0.01, 3_650),
    )
    .option(
      '--converged-below <share>',
      'of a stranger’s uncertainty: below it a rating has converged',
      numberWithin(0.01, 1),
    )
    .option('--server-results', 'the server key may report to the pool although a queue matches by it')
    .option('--no-server-results', 'it may not');
}

/**
 * The rules that were said, as the interface takes them.
 *
 * @param before the parameters that stay where none is set anew; none for another model
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
    throw new InvalidArgumentError(`Give some of ${kinds.join(',')} with commas between, or none.`);
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
        'Give names from the lowest, each but the first with what it begins at: "Bronze, Silver=20, Gold=30".',
      );
    return { name, from: i === 0 ? null : value };
  });
}

/** A number, or the word that stands for none. */
function numberOr<W extends string>(word: W): (text: string) => number | W {
  return (text) => (text.trim() === word ? word : number(text));
}
