import { own, Unsolvable } from '@muster/domain';

export type ModelParameters = Readonly<Record<string, number | string>>;

export type ParameterSpec =
  | {
      readonly kind: 'number';
      readonly default: number;
      /** Both included. */
      readonly min: number;
      readonly max: number;
      /** Its effect, in its unit. */
      readonly means: string;
    }
  | {
      readonly kind: 'choice';
      readonly default: string;
      readonly among: readonly string[];
      readonly means: string;
    };
export type ParameterSpecs = Readonly<Record<string, ParameterSpec>>;

/** Shorthand for a number's spec. */
export function amount(byDefault: number, min: number, max: number, means: string): ParameterSpec {
  return { kind: 'number', default: byDefault, min, max, means };
}

/** Shorthand for a choice's spec; the first is the default. */
export function choice(among: readonly [string, ...string[]], means: string): ParameterSpec {
  return { kind: 'choice', default: among[0], among, means };
}

/**
 * The parameters, with defaults for absent ones.
 *
 * @throws Unsolvable with the first one that is unknown or out of range, and its valid values
 */
export function readParameters(specs: ParameterSpecs, given: ModelParameters): ModelParameters {
  for (const [name, value] of Object.entries(given)) {
    const spec = own(specs, name);
    const known = Object.keys(specs).join(', ') || 'none';
    if (!spec)
      throw new Unsolvable(`There is no parameter "${name}"; there is ${known}.`, { parameter: name });
    const flaw = flawOf(spec, value);
    if (flaw !== null)
      throw new Unsolvable(`Parameter "${name}" is ${JSON.stringify(value)}; ${flaw}.`, { parameter: name });
  }
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [name, own(given, name) ?? spec.default]),
  );
}

function flawOf(spec: ParameterSpec, value: number | string): string | null {
  if (spec.kind === 'choice')
    return typeof value === 'string' && spec.among.includes(value)
      ? null
      : `it must be one of ${spec.among.join(', ')}`;
  const sane = typeof value === 'number' && value >= spec.min && value <= spec.max;
  return sane ? null : `it must be a number from ${spec.min} to ${spec.max}`;
}

/** A number among the parameters from `readParameters`. */
export function numberOf(parameters: ModelParameters, name: string): number {
  const value = own(parameters, name);
  if (typeof value !== 'number') throw new TypeError(`parameter ${name} was not read`);
  return value;
}

/** A choice among the parameters from `readParameters`. */
export function choiceOf(parameters: ModelParameters, name: string): string {
  const value = own(parameters, name);
  if (typeof value !== 'string') throw new TypeError(`parameter ${name} was not read`);
  return value;
}
