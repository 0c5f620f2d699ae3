import { PoolRulesBody } from '@muster/contracts';
import { InvalidArgumentError } from 'commander';

/** What fewer players mean, as the API takes it. */
export type ShortHandedOption = NonNullable<PoolRulesBody['shortHanded']>;

/** Parses `odds=5, leavers=full, mates=0.75`; what is left out has its default. @throws InvalidArgumentError with the expected form */
export function shortHandedRules(text: string): ShortHandedOption {
  const parts = new Map(
    text.split(',').map((part) => {
      const [name = '', value = ''] = part.split('=').map((each) => each.trim());
      return [name, name === 'odds' || name === 'mates' ? Number(value || NaN) : value] as const;
    }),
  );
  const { data } = PoolRulesBody.shape.shortHanded.safeParse(Object.fromEntries(parts));
  if (!data)
    throw new InvalidArgumentError(
      'Give the log-odds of size, from 0 to 50, what leavers lose, full or share, and the share of their loss that mates keep: "odds=5, leavers=full, mates=0.75".',
    );
  return data;
}
