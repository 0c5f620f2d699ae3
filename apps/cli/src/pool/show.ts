import type { PoolView } from '@muster/contracts';
import { own, type Division, type SkillBelief } from '@muster/domain';
import { defaultDivisions, modelOf, uncalibrated } from '@muster/skill';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import {
  counted,
  indented,
  plain,
  right,
  signed,
  tableLines,
  wrapped,
} from '@muster/command-line/terminal/table';
import { aspectsText } from '@muster/command-line/options/aspects';
import { playedIn } from './list.js';
import { parameterWords, shown, type Model } from './models.js';

/** Tells of a pool's rules and calibration. */
export async function showPool(
  ask: Ask,
  name: string,
  { offsets }: { readonly offsets: number },
): Promise<Answer> {
  const [pool, { models }] = await ask((operator) => Promise.all([operator.pool(name), operator.models()]));
  const model = models.find((each) => each.name === pool.rules.model);
  return {
    json: pool,
    text: (ink) => [
      ...rulesText(pool, model, ink),
      '',
      ...calibrationText(pool, offsets, ink),
      ...proposalText(pool.proposals),
    ],
  };
}

/** What an operator may run for the pool, after an empty line. */
export function proposalText(proposals: PoolView['proposals'] = []): string[] {
  return proposals.length === 0 ? [] : ['', ...proposals];
}

const aggregations: Readonly<Record<string, string>> = {
  mean: 'a team counts as if it were of mean size (mean)',
  sum: 'every player adds to the team (sum)',
  learned: 'a team counts as if it were of mean size, and what being more is worth is learned (learned)',
};

const parties: Readonly<Record<string, string>> = {
  none: 'have no bonus (none)',
  fixed: 'have a fixed bonus (fixed)',
  learned: 'have a bonus learned from results, once it is significant (learned)',
};

/** How a pool rates matches, and what players see. */
export function rulesText(pool: PoolView, model: Model | undefined, ink: Ink): string[] {
  const { rules, version, generation } = pool;
  const parameters = Object.keys({ ...model?.parameters, ...rules.parameters });
  return [
    `${ink.bold(`Rating pool ${pool.name}`)}, ${playedIn(pool) === '–' ? 'no game mode named' : playedIn(pool)}, version ${version}, generation ${generation}`,
    '',
    `${ink.bold('Rated by')} ${rules.model}${model ? `: ${model.title}` : ''}`,
    ...indented([
      ...wrapped(model?.about ?? ''),
      ...(parameters.length === 0
        ? []
        : tableLines(
            ['parameter', ...right('value'), '', 'among', 'what it is'],
            parameters.map((name) => {
              const { byDefault, among, means } = parameterWords(own(model?.parameters, name));
              const set = own(rules.parameters, name);
              const how = set === undefined ? 'default' : `set (default ${byDefault})`;
              return [name, set === undefined ? byDefault : shown(set), how, among, means];
            }),
          )),
    ]),
    '',
    ink.bold('Beside skill'),
    ...indented([
      `teams of different size: ${aggregations[rules.aggregation] ?? rules.aggregation}`,
      `learned from results:    ${rules.circumstances.length > 0 ? `the effect of ${rules.circumstances.join(', ')}` : 'no circumstances'}`,
      `friends:                 ${parties[rules.partyBonus] ?? rules.partyBonus}`,
      ...aspectLines(rules),
      ...lineOf(rules.shortHanded, shortHandedLine),
    ]),
    '',
    ink.bold('What players see'),
    ...indented([
      `shadow:     ${shadowText(rules)}`,
      ...divisionLines(pool),
      `stale:      after ${counted(rules.staleAfterDays, 'day')} without a match`,
      ...lineOf(rules.inactivity, inactivityLine),
      ...lineOf(rules.season, seasonLine),
      ...lineOf(rules.boosters, boosterLine),
      ...lineOf(rules.integrity, integrityLine),
      ...lineOf(rules.placement, placementLine),
      ...(rules.serverResults ? ['results:    the server key may report as well'] : []),
      ...lineOf(rules.results, resultLine),
      `converged:  below ${plain(rules.convergedBelow)} of the start uncertainty`,
    ]),
  ];
}

function aspectLines({ aspects }: PoolView['rules']): string[] {
  const text = aspectsText(aspects);
  return text === '' ? [] : [`players rated by:        ${text} (strength in log-odds)`];
}

type Rule<Name extends keyof PoolView['rules']> = NonNullable<PoolView['rules'][Name]>;

/** A line about a rule; none without it. */
function lineOf<T>(rule: T | null | undefined, text: (rule: T) => string): string[] {
  return rule ? [text(rule)] : [];
}

function shortHandedLine({ odds, leavers, mates }: Rule<'shortHanded'>): string {
  const who = leavers === 'full' ? 'as if everybody had stayed' : 'by the share that they played';
  return `fewer players:           ${plain(odds)} log-odds of ln(size) at first; leavers lose ${who}, their mates ${plain(100 * mates)} %`;
}

function inactivityLine({ afterDays, forgottenAfterDays, decay }: Rule<'inactivity'>): string {
  const effects = [
    ...(forgottenAfterDays === undefined
      ? []
      : [`the uncertainty grows, to a newcomer's in ${counted(forgottenAfterDays, 'day')}`]),
    ...(decay
      ? [
          `ratings above the border of ${decay.division} fall by ${plain(decay.perDay)} start uncertainties a day`,
        ]
      : []),
  ];
  const text = effects.length === 0 ? 'nothing changes' : effects.join(', and ');
  return `inactivity: after ${counted(afterDays, 'day')} without a match ${text}`;
}

function seasonLine({ keep, uncertainty, placementMatches }: Rule<'season'>): string {
  return `season:     keeps ${plain(keep)} of the distance from the start value, uncertainty at least ${plain(uncertainty)} of a newcomer's, ${counted(placementMatches, 'placement match', 'placement matches')}`;
}

function boosterLine({ matches, kFactor, divisions }: Rule<'boosters'>): string {
  return `boosters:   ${counted(matches, 'match', 'matches')} at most ${counted(divisions, 'division')} away, a result moves the rating ${plain(kFactor)} times as far`;
}

function integrityLine({ uncertainty, everyDays = 30 }: Rule<'integrity'>): string {
  const effect =
    uncertainty === undefined
      ? 'signals change no rating'
      : `a signal raises the uncertainty to ${plain(uncertainty)} of a newcomer's, once in ${counted(everyDays, 'day')} at most`;
  return `integrity:  watched; ${effect}`;
}

function placementLine({ leastR2, minMatches, window }: Rule<'placement'>): string {
  return `placement:  by stats after ${counted(window, 'match', 'matches')}, if ${counted(minMatches, 'match', 'matches')} have stats that explain ${plain(leastR2)} of the differences between players`;
}

const scoreRules = {
  'higher-wins': 'the higher score wins',
  'lower-wins': 'the lower score wins',
  any: 'scores say nothing about ranks',
};

function resultLine({ scores, stats }: Rule<'results'>): string {
  const bounds = Object.entries(stats).map(
    ([name, { min, max }]) =>
      `${name} ${min === undefined ? '' : plain(min)}:${max === undefined ? '' : plain(max)}`,
  );
  return `checks:     ${[scoreRules[scores], ...bounds].join(', ')}`;
}

function shadowText({ shadowMatches, shadowCap }: PoolView['rules']): string {
  if (shadowMatches === 0) return 'none; a rating is shown from the first match on';
  const cap = shadowCap === null ? '' : `; at most ${plain(shadowCap)} when that ends`;
  return `hidden for the first ${counted(shadowMatches, 'match', 'matches')}${cap}`;
}

function divisionLines({ rules }: PoolView): string[] {
  const start = startOf(rules);
  const isDefault = rules.divisions.length === 0;
  const divisions = isDefault ? start && defaultDivisions(start) : rules.divisions;
  const margin = rules.divisionMargin ?? (start && start.sigma / 10);
  const past = margin === undefined || margin === 0 ? '' : `, changed ${short(margin)} past a border`;
  return wrapped(
    `divisions:  ${divisions ? divisionsText(divisions) : 'seven around the start value'}${isDefault ? ' (the defaults)' : ''}${past}`,
    96,
  ).map((line, i) => (i === 0 ? line.replace('divisions: ', 'divisions:  ') : `            ${line}`));
}

/** Divisions from the lowest, each with its lower border. */
export function divisionsText(divisions: readonly Division[]): string {
  return divisions.map(({ name, from }) => (from === null ? name : `${name} from ${short(from)}`)).join(', ');
}

/** Rounded for display. */
function short(value: number): string {
  return plain(Number(value.toPrecision(4)));
}

/** The belief about a new player; undefined for a model that only a newer Muster has. */
function startOf({ model, parameters }: PoolView['rules']): SkillBelief | undefined {
  try {
    const opened = modelOf(model, parameters);
    return opened.belief(opened.initial());
  } catch {
    return undefined;
  }
}

/** A pool's calibration, strongest offsets first. */
export function calibrationText(
  { calibration: { scale, drawRate, offsets, matches } }: PoolView,
  most: number,
  ink: Ink,
): string[] {
  if (matches === 0)
    return [
      `${ink.bold('Calibration')}: none yet; the model’s chances are used as they are until there are results.`,
    ];
  const strongest = Object.entries(offsets).toSorted(
    ([a, one], [b, other]) => Math.abs(other.mean) - Math.abs(one.mean) || a.localeCompare(b),
  );
  const more = strongest.length - Math.min(most, strongest.length);
  return [
    `${ink.bold('Calibration')}, learned from ${counted(matches, 'match', 'matches')}`,
    ...indented([
      `scale:      ${scale.mean.toFixed(3)} ± ${scale.sd.toFixed(3)}, ${scaleWords(scale)}`,
      `draw rate:  ${(100 * drawRate).toFixed(1)} %`,
      ...(strongest.length === 0 ? ['offsets:    none'] : []),
      ...tableLines(
        ['offset', ...right('log-odds'), '', ...right('even teams')],
        strongest
          .slice(0, most)
          .map(([name, { mean, sd }]) => [
            name,
            signed(mean, 3),
            `± ${sd.toFixed(3)}`,
            evenText(name, offsets),
          ]),
      ).slice(strongest.length === 0 ? 1 : 0),
      ...(strongest.some(([name]) => name.startsWith('side:'))
        ? ['Only the difference of two sides is observed, so it is more certain than each offset alone.']
        : []),
      ...(more > 0 ? [`and ${counted(more, 'weaker one')}: --offsets ${strongest.length} shows all`] : []),
    ]),
  ];
}

/**
 * The effect of an offset on an even match, if defined: with two sides, one plays against the other. With more it
 * depends on the opponent.
 */
function evenText(name: string, offsets: PoolView['calibration']['offsets']): string {
  const [side = '', place] = name.split('@');
  if (!side.startsWith('side:')) return '';
  const others = Object.entries(offsets).filter(([other]) => {
    const [otherSide = '', otherPlace] = other.split('@');
    return otherSide.startsWith('side:') && otherSide !== side && otherPlace === place;
  });
  const [opponent] = others;
  if (!opponent || others.length > 1) return '';
  const odds = (own(offsets, name)?.mean ?? 0) - opponent[1].mean;
  return `${(100 / (1 + Math.exp(-odds))).toFixed(1)} %`;
}

function scaleWords({ mean, sd }: { readonly mean: number; readonly sd: number }): string {
  if (sd >= uncalibrated.scale.sd) return 'as before the first result: nothing is learned of it yet';
  if (Math.abs(mean - 1) <= 2 * sd) return 'so the model’s confidence is about right';
  return mean < 1 ? 'so the model is overconfident' : 'so the model is underconfident';
}
