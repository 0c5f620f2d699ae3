import type { PoolRulesBody } from '@muster/contracts';
import { InvalidArgumentError } from 'commander';
import { number } from '../operator/options.js';

/** A pool's rules for placement from stats, as they are sent. */
export type PlacementOption = NonNullable<PoolRulesBody['placement']>;

const names = { least: 'leastR2', matches: 'minMatches', window: 'window' } as const;
const defaults: PlacementOption = { leastR2: 0.1, minMatches: 200, window: 10 };

/** Reads `on`, `none`, or some of `least=0.1, matches=200, window=10`. */
export function placementRules(text: string): PlacementOption | 'none' {
  if (text.trim() === 'none') return 'none';
  if (text.trim() === 'on') return defaults;
  const given = text.split(',').map((part) => {
    const [name = '', value = ''] = part.split('=').map((each) => each.trim());
    if (name !== 'least' && name !== 'matches' && name !== 'window')
      throw new InvalidArgumentError('Give some of "least=0.1, matches=200, window=10", or on, or none.');
    return [names[name], number(value)] as const;
  });
  return { ...defaults, ...Object.fromEntries(given) };
}
