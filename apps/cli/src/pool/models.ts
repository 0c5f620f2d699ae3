import { own } from '@muster/domain';
import type { AnswerOf } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Ink } from '@muster/command-line/terminal/ink';
import { z } from 'zod';
import { indented, plain, right, tableLines, wrapped } from '@muster/command-line/terminal/table';

/** A model in the API's form. */
export type Model = AnswerOf<'listModels'>['models'][number];

/** All models, or one. */
export async function findModels(
  ask: Ask,
  _given: object,
  { model: name }: Readonly<Record<string, unknown>>,
): Promise<AnswerOf<'listModels'>> {
  const { models } = await ask((operator) => operator.models());
  const found = models.filter((model) => name === undefined || model.name === name);
  if (found.length > 0) return { models: found };
  const there = models.map((model) => model.name).join(', ');
  throw new Error(`There is no rating model "${String(name)}"; there is ${there}.`);
}

const needs: Readonly<Record<string, string>> = {
  places: 'every player’s place on the scoreboard',
  kills: 'every player’s kills',
  'team-scores': 'the scores of the teams while each player was there',
  command: 'who was in command',
};

/** A model with its parameters. */
export function modelText(model: Model, ink: Ink): string[] {
  const parameters = Object.entries(model.parameters);
  return [
    `${ink.bold(model.name)}  ${model.title}`,
    ...indented([
      ...wrapped(model.about),
      ...(model.needs.length > 0
        ? [`It requires ${model.needs.map((need) => own(needs, need) ?? need).join(', ')}.`]
        : []),
      ...(parameters.length === 0
        ? []
        : indented(
            tableLines(
              ['parameter', ...right('default'), 'among', 'what it is'],
              parameters.map(([name, spec]) => [name, ...parameterWords(spec)]),
            ),
          )),
    ]),
  ];
}

const value = z.union([z.number(), z.string()]).optional();
/** The API's description of a parameter; each part may be missing in other versions. */
const Parameter = z
  .object({ default: value, min: value, max: value, among: z.array(z.string()).optional(), means: value })
  .catch({});

/** The words for a parameter: its default, what it is among, and what it means. */
export function parameterWords(spec: unknown): readonly [byDefault: string, among: string, means: string] {
  const { default: byDefault, min, max, among, means } = Parameter.parse(spec);
  const range = typeof min === 'number' && typeof max === 'number' ? `${plain(min)} to ${plain(max)}` : '';
  return [shown(byDefault), among?.join(', ') ?? range, shown(means)];
}

/** A parameter's value as text. */
export const shown = (of: number | string = ''): string => (typeof of === 'number' ? plain(of) : of);
