import { own } from '@muster/domain';
import { InvalidArgumentError } from 'commander';

/** Parameters of a model as somebody set them; `default` takes the model's own. */
export type Settings = Readonly<Record<string, number | string>>;

const byDefault = 'default';

/** Adds `name=value` to what was set before it. @throws InvalidArgumentError with what would be right */
export function setting(text: string, before: Settings = {}): Settings {
  const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(text) ?? [];
  if (name === undefined || value === undefined || value === '')
    throw new InvalidArgumentError(
      'Give a name and a value, such as beta=4.2; "muster pool models" shows the parameters of each model.',
    );
  const number = Number(value);
  return { ...before, [name]: Number.isFinite(number) ? number : value };
}

/** Parameters with what was set in place of what was; what was set to `default` is left to the model. */
export function parametersWith(before: Settings, set: Settings): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries({ ...before, ...set }).filter(([name]) => own(set, name) !== byDefault),
  );
}

/** `name=value name=value`, or that there is nothing. */
export function settingsText(settings: Settings): string {
  const all = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return all.length === 0 ? 'all by default' : all.join(' ');
}
