import { aspects, type AspectRules } from '@muster/domain';
import { newStrengthFlaw } from '@muster/skill';
import { InvalidArgumentError } from 'commander';
import { number } from './values.js';

const leastStrength = 0.001;

/** Parses `side=0.3, map=0.2`. @throws InvalidArgumentError with the expected form */
export function aspectsOption(text: string): AspectRules {
  const parts = text.split(',').map((part) => {
    const [name = '', value = '', ...more] = part.split('=').map((each) => each.trim());
    const aspect = aspects.find((each) => each === name);
    if (!aspect || value === '' || more.length > 0)
      throw new InvalidArgumentError(
        `Give some of ${aspects.join(', ')}, each with its strength: "side=0.3, map=0.2".`,
      );
    return [aspect, strengthOf(aspect, value)] as const;
  });
  const given = new Map(parts);
  if (given.size < parts.length) throw new InvalidArgumentError('Name each aspect once.');
  return Object.fromEntries(given);
}

function strengthOf(aspect: (typeof aspects)[number], text: string): number {
  const strength = number(text);
  const flaw =
    strength < leastStrength
      ? `The strength of the aspect "${aspect}" must be at least ${leastStrength}, not ${text}.`
      : newStrengthFlaw({ [aspect]: strength });
  if (flaw !== null) throw new InvalidArgumentError(flaw);
  return strength;
}

/** `side=0.3, map=0.2`; empty without aspects. */
export function aspectsText(rules: AspectRules | null | undefined): string {
  return aspects.flatMap((aspect) => (rules?.[aspect] ? [`${aspect}=${rules[aspect]}`] : [])).join(', ');
}
