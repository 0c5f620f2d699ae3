import { Unsolvable } from '@muster/domain';
import { modelOf, type ModelKind, type ModelParameters } from '@muster/skill';
import { parametersFor } from './trial.js';

/**
 * Checks the parameters given for several models: each must be one of at least one model, and valid in each that has it.
 *
 * @throws Error with the name, and the valid ones
 */
export function checkSettings(kinds: readonly ModelKind[], settings: ModelParameters): void {
  for (const name of Object.keys(settings)) {
    if (kinds.some(({ parameters }) => Object.hasOwn(parameters, name))) continue;
    const known = [...new Set(kinds.flatMap(({ parameters }) => Object.keys(parameters)))];
    throw new Error(
      `None of these models has a parameter ${JSON.stringify(name)}; they have ${known.join(', ') || 'none'}.`,
    );
  }
  for (const kind of kinds) {
    try {
      modelOf(kind.name, parametersFor(kind, 1, settings));
    } catch (error) {
      if (!(error instanceof Unsolvable)) throw error;
      throw new Error(`${kind.name}: ${error.message}`, { cause: error });
    }
  }
}
