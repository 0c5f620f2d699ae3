import { own, Unsolvable } from '@muster/domain';

export type ModelParameters = Readonly<Record<string, number | string>>;

/** A number from `min` to `max`, both included. */
export interface NumberSpec {
  readonly kind: 'number';
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Its effect, in its unit. */
  readonly means: string;
}

export interface ChoiceSpec<Choice extends string = string> {
  readonly kind: 'choice';
  readonly default: Choice;
  readonly among: readonly Choice[];
  readonly means: string;
}

export type ParameterSpec = NumberSpec | ChoiceSpec;
export type ParameterSpecs = Readonly<Record<string, ParameterSpec>>;

type ValueOf<Spec> = Spec extends ChoiceSpec<infer Choice> ? Choice : number;
/** The values of parameters, by their specs. */
export type ValuesOf<Specs extends ParameterSpecs> = {
  readonly [Name in keyof Specs]: ValueOf<Specs[Name]>;
};

/** Shorthand for a number's spec. */
export function amount(byDefault: number, min: number, max: number, means: string): NumberSpec {
  return { kind: 'number', default: byDefault, min, max, means };
}

/** Shorthand for a choice's spec; the first is the default. */
export function choice<Choice extends string>(
  among: readonly [Choice, ...Choice[]],
  means: string,
): ChoiceSpec<Choice> {
  return { kind: 'choice', default: among[0], among, means };
}

/**
 * The parameters, with defaults for absent ones.
 *
 * @throws Unsolvable with the first one that is unknown or out of range, and its valid values
 */
export function readParameters<Specs extends ParameterSpecs>(
  specs: Specs,
  given: ModelParameters,
): ValuesOf<Specs> {
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
  ) as ValuesOf<Specs>;
}

function flawOf(spec: ParameterSpec, value: number | string): string | null {
  if (spec.kind === 'choice')
    return typeof value === 'string' && spec.among.includes(value)
      ? null
      : `it must be one of ${spec.among.join(', ')}`;
  const sane = typeof value === 'number' && value >= spec.min && value <= spec.max;
  return sane ? null : `it must be a number from ${spec.min} to ${spec.max}`;
}
