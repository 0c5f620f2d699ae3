import { visible } from '../terminal/visible.js';

/** Prints one line of JSON, or lines of text. */
export function print(json: boolean, value: object, lines: () => readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${visible(lines().join('\n'))}\n`);
}
