import type { PoolRulesBody } from '@muster/contracts';
import { InvalidArgumentError } from 'commander';
import { number } from '../operator/options.js';

/** A pool's rules for results, as they are sent. */
export type ResultOption = NonNullable<PoolRulesBody['results']>;

const rules = { higher: 'higher-wins', lower: 'lower-wins', any: 'any' } as const;

/** Reads `default`, or some of `scores=lower, kills=0:200, plusMinus=-100:100`. */
export function resultRules(text: string): ResultOption | 'default' {
  if (text.trim() === 'default') return 'default';
  let scores: ResultOption['scores'] = 'higher-wins';
  const stats = new Map<string, { min?: number; max?: number }>();
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split('=').map((each) => each.trim());
    if (name === 'scores' && (value === 'higher' || value === 'lower' || value === 'any')) {
      scores = rules[value];
      continue;
    }
    const [min, max, ...more] = value.split(':').map((each) => each.trim());
    if (name === '' || name === 'scores' || min === undefined || max === undefined || more.length > 0)
      throw new InvalidArgumentError(
        'Say which score wins and the bounds of stats, "scores=lower, kills=0:200", or default. scores is higher, lower or any.',
      );
    stats.set(name, {
      ...(min === '' ? {} : { min: number(min) }),
      ...(max === '' ? {} : { max: number(max) }),
    });
  }
  return { scores, stats: Object.fromEntries(stats) };
}
