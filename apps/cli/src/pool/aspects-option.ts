import type { PoolRulesBody } from '@muster/contracts';
import { aspects } from '@muster/domain';
import { mostStrength } from '@muster/skill';
import { InvalidArgumentError } from 'commander';
import { numberWithin } from '../operator/options.js';

/** Aspects with their strengths, as the API takes them. */
export type AspectsOption = NonNullable<PoolRulesBody['aspects']>;

const strength = numberWithin(0.001, mostStrength);

/** Parses `side=0.3, map=0.2`. @throws InvalidArgumentError with the expected form */
export function aspectsOption(text: string): AspectsOption {
  const parts = text.split(',').map((part) => {
    const [name = '', value = '', ...more] = part.split('=').map((each) => each.trim());
    const aspect = aspects.find((each) => each === name);
    if (!aspect || value === '' || more.length > 0)
      throw new InvalidArgumentError(
        `Give some of ${aspects.join(', ')}, each with its strength: "side=0.3, map=0.2".`,
      );
    return [aspect, strength(value)] as const;
  });
  const given = new Map(parts);
  if (given.size < parts.length) throw new InvalidArgumentError('Name each aspect once.');
  return Object.fromEntries(given);
}

/** `side=0.3, map=0.2`; empty without aspects. */
export function aspectsText(rules: AspectsOption | null | undefined): string {
  return aspects.flatMap((aspect) => (rules?.[aspect] ? [`${aspect}=${rules[aspect]}`] : [])).join(', ');
}
