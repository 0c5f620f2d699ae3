import type { PoolView } from '@muster/contracts';
import { own, type Division, type SkillBelief } from '@muster/domain';
import { defaultDivisions, modelOf, uncalibrated } from '@muster/skill';
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
import { shown as cell } from '../calls/answers.js';
import { fieldsOf } from '../calls/fields.js';
import { optionName } from '../calls/take.js';
import { parameterWords, shown, type Model } from './models.js';
import { playedIn } from './create.js';
import { ruleTakes } from './takes.js';

/** A pool's rules and calibration. @param offsets how many, strongest first */
export function showText(pool: PoolView, models: readonly Model[], offsets: number, ink: Ink): string[] {
  return [
    ...rulesText(
      pool,
      models.find(({ name }) => name === pool.rules.model),
      ink,
    ),
    '',
    ...calibrationText(pool, offsets, ink),
    ...proposalText(pool.proposals),
  ];
}

/** What an operator may run for the pool, after an empty line. */
export function proposalText(proposals: PoolView['proposals'] = []): string[] {
  return proposals.length === 0 ? [] : ['', ...proposals];
}

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
              const [byDefault, among, means] = parameterWords(own(model?.parameters, name));
              const set = own(rules.parameters, name);
              const how = set === undefined ? 'default' : `set (default ${byDefault})`;
              return [name, set === undefined ? byDefault : shown(set), how, among, means];
            }),
          )),
    ]),
    '',
    ...tableLines(['rule', 'value', 'what it is'], ruleRows(pool)),
  ];
}

/** The rules that are set, as the options of `muster pools change` name them. */
function ruleRows(pool: PoolView): string[][] {
  return fieldsOf('changePool').flatMap(({ name, about }) => {
    const value = own<unknown>(pool.rules, name);
    if (name === 'model' || name === 'parameters' || value === undefined || value === null || value === false)
      return [];
    const text = name === 'divisions' ? ladderText(pool) : cell(name, value);
    return [
      [optionName(name, ruleTakes.names), text === '' ? 'none' : text, about.split(/[.:;] ?/)[0] ?? ''],
    ];
  });
}

function ladderText({ rules }: PoolView): string {
  const start = startOf(rules);
  const divisions = rules.divisions.length === 0 ? start && defaultDivisions(start) : rules.divisions;
  return `${divisions ? divisionsText(divisions) : 'seven around the start value'}${rules.divisions.length === 0 ? ' (the defaults)' : ''}`;
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
