import type { PoolRulesBody } from '@muster/contracts';
import { InvalidArgumentError } from 'commander';
import { number } from '../operator/options.js';

/** Whether and how a pool watches for signs of cheating, as the API takes it; none for not at all. */
export type IntegrityOption = NonNullable<PoolRulesBody['integrity']> | 'none';

/** Parses `watch`, `none` or `uncertainty=0.5, every=30`. @throws InvalidArgumentError with the expected form */
export function integrityRules(text: string): IntegrityOption {
  const word = text.trim();
  if (word === 'none') return 'none';
  if (word === 'watch') return {};
  const parts = new Map(
    word.split(',').map((part) => {
      const [name = '', value = ''] = part.split('=').map((each) => each.trim());
      return [name, value] as const;
    }),
  );
  const every = parts.get('every');
  if (!parts.has('uncertainty') || parts.size > (every === undefined ? 1 : 2))
    throw new InvalidArgumentError('Give "watch", "uncertainty=0.5, every=30" or "none".');
  return {
    uncertainty: number(parts.get('uncertainty') ?? ''),
    ...(every === undefined ? {} : { everyDays: number(every) }),
  };
}
