import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const checkout = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

/** Why nothing can start: a sentence for the reader, so shown without a stack. */
export class Unprepared extends Error {}

/** Talks to the reader. Not on stdout, which belongs to the program that starts next: `muster token | pbcopy`. */
export function say(text) {
  process.stderr.write(`muster: ${text}\n`);
}
