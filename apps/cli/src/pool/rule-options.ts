import type { PoolRulesBody } from '@muster/contracts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { number, numberWithin, wholeNumber } from '@muster/command-line/options/values';
import { partsOf } from '@muster/command-line/options/parts';
import { aspectsOption } from '@muster/command-line/options/aspects';
import { parametersWith, setting, type Settings } from '@muster/command-line/options/settings';
import { boosterRules } from '../booster/options.js';
import { seasonRules } from '../season/options.js';
import { integrityRules, resultRules, shortHandedRules, placementRules } from './rule-values.js';

/** Stands for null, which commander takes for an option without a value. */
const nothing = Symbol('nothing');

type Nothing<Rule> = null extends Rule ? typeof nothing : never;

/** A pool's rules on the command line; absent ones were not given. */
export type RuleOptions = {
  readonly [Name in keyof Omit<PoolRulesBody, 'parameters' | 'staleAfterDays'>]:
    PoolRulesBody[Name] | Nothing<PoolRulesBody[Name]>;
} & {
  readonly set?: Settings;
  readonly staleAfter?: number;
};

/** The help text of the rule options. */
export const ruleHelp = `
--set name=value sets a parameter of the model, once for each; "muster pool models" shows which there are. --set
name=default takes the model's own again. --divisions names them from the lowest, each with the rating that it begins at:
"Bronze, Silver=20, Gold=30". --inactivity says what time without a match does, as in
"after=30, forgotten=365, decay=Diamond:0.02": after 30 days the uncertainty grows, to a newcomer's in 365 more, and
ratings in Diamond and above fall by 0.02 start uncertainties a day. Leave out forgotten or decay to have one of them.
--season says what the start of a season does, as in "keep=0.75, uncertainty=0.5, placement=10"; see "muster season --help".
--boosters says what boosters do, as in "matches=5, factor=2, divisions=1"; see "muster booster --help".
--integrity watch opens cases for operators when results look like cheating; see "muster case --help". "uncertainty=0.5, every=30"
also raises the uncertainty of the players to half of a newcomer's, once in 30 days at most.
--aspects says what players are rated by beside their common skill, as in "side=0.3, map=0.2": each with the standard
deviation of what it adds to a team's log-odds. There are side, map, venue and role; "muster pool tune" finds what helps.
--placement places newcomers by their stats where these tell skill: "on", or "least=0.1, matches=200, window=10": the held-out
R² and the matches with stats that a fit needs, and the matches after which a newcomer is placed.
--results says what results must fit, as in "scores=lower, kills=0:200": which score wins (higher, lower or any), and the bounds
of players' stats by name. Others are refused, and the server learns why.`;

/** Adds the options for the rules of a pool. */
export function ruleOptions(command: Command): Command {
  return standingOptions(ratingOptions(command))
    .option('--server-results', 'the server key may report to the pool although a queue uses it')
    .option(
      '--results <rules>',
      'which score wins and the bounds of stats, or default',
      unless('default', resultRules),
    )
    .option('--no-server-results', 'the server key may not report if a queue uses the pool');
}

/** Options for how matches are rated. */
function ratingOptions(command: Command): Command {
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
      '--aspects <list>',
      'skill by side, map, venue or role with its strength, or none',
      unless('none', aspectsOption),
    );
}

/** Options for what players see, and what becomes of those who do not play. */
function standingOptions(command: Command): Command {
  return command
    .option(
      '--shadow-matches <n>',
      'number of matches during which a rating is hidden from its player',
      wholeNumber(0, 10_000),
    )
    .option('--shadow-cap <rating>', 'the maximum rating at the end of that, or none', unless('none', number))
    .option('--divisions <list>', 'the divisions, or default', divisions)
    .option(
      '--division-margin <rating>',
      'distance past a border at which the division changes, or default',
      unless('default', number),
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
    .option(
      '--inactivity <policy>',
      'what time without a match does to a rating, or none',
      unless('none', inactivity),
    )
    .option(
      '--season <rules>',
      'what the start of a season does to ratings, or none',
      unless('none', seasonRules),
    )
    .option('--boosters <rules>', 'what boosters do, or none', unless('none', boosterRules))
    .option(
      '--integrity <rules>',
      'watch for signs of cheating: watch, a bound for ratings, or none',
      unless('none', integrityRules),
    )
    .option(
      '--placement <rules>',
      'how well stats must tell skill to place newcomers, on, or none',
      unless('none', placementRules),
    )
    .option(
      '--short-handed <rules>',
      'what fewer players mean, and who answers for it, or none',
      unless('none', shortHandedRules),
    );
}

/**
 * The given rules in the API's form.
 *
 * @param before the present parameters, which stay if not set; none for another model
 */
export function rulesOf(options: RuleOptions, before: Settings = {}): PoolRulesBody {
  const given: PoolRulesBody = {
    parameters: options.set && parametersWith(before, options.set),
    aggregation: options.aggregation,
    circumstances: options.circumstances,
    partyBonus: options.partyBonus,
    shadowMatches: options.shadowMatches,
    shadowCap: orNull(options.shadowCap),
    divisions: options.divisions,
    divisionMargin: orNull(options.divisionMargin),
    staleAfterDays: options.staleAfter,
    convergedBelow: options.convergedBelow,
    serverResults: options.serverResults,
    results: orNull(options.results),
    inactivity: orNull(options.inactivity),
    season: orNull(options.season),
    boosters: orNull(options.boosters),
    integrity: orNull(options.integrity),
    aspects: orNull(options.aspects),
    placement: orNull(options.placement),
    shortHanded: orNull(options.shortHanded),
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

function inactivity(text: string): PoolRulesBody['inactivity'] {
  const parts = new Map(partsOf(text));
  const unknown = [...parts.keys()].find((name) => !['after', 'forgotten', 'decay'].includes(name));
  const decay = parts.get('decay');
  const [, division = '', perDay = ''] = /^(.+):([^:]+)$/.exec(decay ?? '') ?? [];
  if (unknown !== undefined || !parts.has('after') || (decay !== undefined && division === ''))
    throw new InvalidArgumentError(
      'Give days, and a division with its fall a day: "after=30, forgotten=365, decay=Diamond:0.02", or none.',
    );
  const forgotten = parts.get('forgotten');
  return {
    afterDays: number(parts.get('after') ?? ''),
    ...(forgotten === undefined ? {} : { forgottenAfterDays: number(forgotten) }),
    ...(decay === undefined ? {} : { decay: { division: division.trim(), perDay: number(perDay) } }),
  };
}

/** Parses a word that stands for null, and anything else. */
function unless<T>(word: string, parse: (text: string) => T): (text: string) => T | typeof nothing {
  return (text) => (text.trim() === word ? nothing : parse(text));
}

function orNull<T>(value: T | typeof nothing): T | null {
  return value === nothing ? null : value;
}
