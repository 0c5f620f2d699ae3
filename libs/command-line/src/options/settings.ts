import { own } from '@muster/domain';
import { InvalidArgumentError } from 'commander';

/** Parameters of a model; `default` selects the model's default. */
export type Settings = Readonly<Record<string, number | string>>;

const byDefault = 'default';

/** Adds `name=value` to earlier settings. @throws InvalidArgumentError with the expected form */
export function setting(text: string, before: Settings = {}): Settings {
  const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(text) ?? [];
  if (name === undefined || value === undefined || value === '')
    throw new InvalidArgumentError(
      'Give a name and a value, such as beta=4.2; "muster pools models" shows the parameters of each model.',
    );
  const number = Number(value);
  return { ...before, [name]: Number.isFinite(number) ? number : value };
}

/** The parameters after a change; those set to `default` are removed. */
export function parametersWith(before: Settings, set: Settings): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries({ ...before, ...set }).filter(([name]) => own(set, name) !== byDefault),
  );
}

/** `name=value name=value`, or that all are defaults. */
export function settingsText(settings: Settings): string {
  const all = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return all.length === 0 ? 'all by default' : all.join(' ');
}
