import { endpoints, type AnswerOf } from '@muster/contracts';

export type PoolRules = AnswerOf<'readPool'>['rules'];
type RuleName = Exclude<keyof PoolRules, 'model'>;

/** A rule of a pool, with what it is. */
export interface Rule {
  readonly name: RuleName;
  /** In the words of the API. */
  readonly about: string;
  readonly value: unknown;
  /** What a rule that is one of some words may be; null: it is a number, or has parts. */
  readonly choices: readonly string[] | null;
  /** Of a rule that has parts. */
  readonly parts: readonly Part[];
}

/** A part of a rule. */
export interface Part {
  readonly name: string;
  readonly about: string;
}

/** The rules of a pool that can be changed from now on, with the descriptions of the API. Another model needs a rebuild. */
export function rulesOf(rules: PoolRules): readonly Rule[] {
  const { model: _model, ...shape } = endpoints.changePool.body.shape;
  return Object.entries(shape).map(([name, optional]) => {
    const schema = optional.unwrap();
    const value = rules[name as RuleName];
    return {
      name: name as RuleName,
      about: plain(schema.description),
      value,
      choices: choicesOf(schema),
      parts: partsOf(schema),
    };
  });
}

function choicesOf(schema: object): readonly string[] | null {
  if ('type' in schema && schema.type === 'boolean') return ['true', 'false'];
  return 'options' in schema && Array.isArray(schema.options) ? schema.options.map(String) : null;
}

/** Descriptions mark names as code. */
const plain = (about: unknown): string => (typeof about === 'string' ? about.replaceAll('`', '') : '');

/** The parts of an object, of the objects of a list, or of either where it may be absent. */
function partsOf(schema: object): readonly Part[] {
  if ('shape' in schema && typeof schema.shape === 'object' && schema.shape !== null)
    return Object.entries(schema.shape).map(([name, part]) => ({ name, about: aboutOf(part as object) }));
  const inner = innerOf(schema);
  return inner ? partsOf(inner) : [];
}

/** The nearest description: that of a part, or of the value in it. */
function aboutOf(schema: object): string {
  if ('description' in schema && schema.description !== undefined) return plain(schema.description);
  const inner = innerOf(schema);
  return inner ? aboutOf(inner) : '';
}

function innerOf(schema: object): object | null {
  if ('element' in schema) return schema.element as object;
  return 'unwrap' in schema && typeof schema.unwrap === 'function' ? (schema.unwrap() as object) : null;
}

/** A value of a rule as people read it. */
export function ruleWords(value: unknown): string {
  if (value === null || value === undefined) return 'not set';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return String(value as number | string);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(ruleWords).join('; ');
  const parts = Object.entries(value).map(([name, part]) => `${name} ${ruleWords(part)}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

/** The value of a rule in words: one with parts may be on without any of them. */
export const valueWords = ({ value, parts }: Pick<Rule, 'value' | 'parts'>): string =>
  isBare(value) && parts.length > 0 ? 'on, as by default' : ruleWords(value);

const isBare = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** A value as it is typed: JSON, or a word as it is. */
export const writtenRule = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2);

/** The value that was typed for a rule. @throws Error for what is no JSON */
export function readRule({ choices }: Pick<Rule, 'choices'>, text: string): unknown {
  if (choices && !choices.includes('true')) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('This is not JSON. Write a number, true, false, null, or parts such as {"keep": 0.75}.');
  }
}
