import { PoolRulesBody } from '@muster/contracts';
import type { IntegrityRules, SeedingRules, ResultRules } from '@muster/domain';
import { InvalidArgumentError } from 'commander';
import { number } from '@muster/command-line/options/values';
import { partsOf } from '@muster/command-line/options/parts';

/** Parses `watch` or `uncertainty=0.5, every=30`. @throws InvalidArgumentError with the expected form */
export function integrityRules(text: string): IntegrityRules {
  if (text.trim() === 'watch') return {};
  const parts = new Map(partsOf(text));
  const every = parts.get('every');
  if (!parts.has('uncertainty') || parts.size > (every === undefined ? 1 : 2))
    throw new InvalidArgumentError('Give "watch", "uncertainty=0.5, every=30" or "none".');
  return {
    uncertainty: number(parts.get('uncertainty') ?? ''),
    ...(every === undefined ? {} : { everyDays: number(every) }),
  };
}

const placementNames = { least: 'leastR2', matches: 'minMatches', window: 'window' } as const;
const placementDefaults: SeedingRules = { leastR2: 0.1, minMatches: 200, window: 10 };

/** Reads `on`, or some of `least=0.1, matches=200, window=10`. */
export function placementRules(text: string): SeedingRules {
  if (text.trim() === 'on') return placementDefaults;
  const given = partsOf(text).map(([name, value]) => {
    if (name !== 'least' && name !== 'matches' && name !== 'window')
      throw new InvalidArgumentError('Give some of "least=0.1, matches=200, window=10", or on, or none.');
    return [placementNames[name], number(value)] as const;
  });
  return { ...placementDefaults, ...Object.fromEntries(given) };
}

const winners = { higher: 'higher-wins', lower: 'lower-wins', any: 'any' } as const;

/** Reads some of `scores=lower, kills=0:200, plusMinus=-100:100`. */
export function resultRules(text: string): ResultRules {
  let scores: ResultRules['scores'] = 'higher-wins';
  const stats = new Map<string, { min?: number; max?: number }>();
  for (const [name, value] of partsOf(text)) {
    if (name === 'scores' && (value === 'higher' || value === 'lower' || value === 'any')) {
      scores = winners[value];
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

/** Parses `odds=5, leavers=full, mates=0.75`; what is left out has its default. @throws InvalidArgumentError with the expected form */
export function shortHandedRules(text: string): NonNullable<PoolRulesBody['shortHanded']> {
  const parts = new Map(
    partsOf(text).map(([name, value]) => [
      name,
      name === 'odds' || name === 'mates' ? Number(value || NaN) : value,
    ]),
  );
  const { data } = PoolRulesBody.shape.shortHanded.safeParse(Object.fromEntries(parts));
  if (!data)
    throw new InvalidArgumentError(
      'Give the log-odds of size, from 0 to 50, what leavers lose, full or share, and the share of their loss that mates keep: "odds=5, leavers=full, mates=0.75".',
    );
  return data;
}
