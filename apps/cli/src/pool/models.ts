import { own } from '@muster/domain';
import type { AnswerOf } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { indented, plain, right, tableLines, wrapped } from '@muster/command-line/terminal/table';

/** A model in the API's form. */
export type Model = AnswerOf<'listModels'>['models'][number];

/** Tells of all models, or one. */
export async function listModels(ask: Ask, name: string | undefined): Promise<Answer> {
  const { models } = await ask((operator) => operator.models());
  const requested = name === undefined ? models : models.filter((model) => model.name === name);
  if (requested.length === 0)
    throw new Error(
      `There is no rating model "${name}"; there is ${models.map((model) => model.name).join(', ')}.`,
    );
  return {
    json: { models: requested },
    text: (ink) => requested.flatMap((model, i) => [...(i === 0 ? [] : ['']), ...modelText(model, ink)]),
  };
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
              parameters.map(([name, spec]) => parameterCells(name, spec)),
            ),
          )),
    ]),
  ];
}

/** The API's description of a parameter; each part may be missing in other versions. */
export interface ParameterWords {
  readonly byDefault: string;
  readonly among: string;
  readonly means: string;
}

/** Reads the description of a parameter. */
export function parameterWords(spec: unknown): ParameterWords {
  const fields = typeof spec === 'object' && spec !== null ? spec : {};
  const at = (name: string): unknown => Object.entries(fields).find(([key]) => key === name)?.[1];
  const among = at('among');
  const [min, max] = [at('min'), at('max')];
  const range = typeof min === 'number' && typeof max === 'number' ? `${plain(min)} to ${plain(max)}` : '';
  const means = at('means');
  return {
    byDefault: shown(at('default')),
    among: Array.isArray(among) ? among.map(String).join(', ') : range,
    means: typeof means === 'string' ? means : '',
  };
}

function parameterCells(name: string, spec: unknown): string[] {
  const { byDefault, among, means } = parameterWords(spec);
  return [name, byDefault, among, means];
}

/** A parameter's value as text. */
export function shown(value: unknown): string {
  if (typeof value === 'number') return plain(value);
  return typeof value === 'string' ? value : '';
}
