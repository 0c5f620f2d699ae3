import { tableLines, type Column } from '@muster/plot/table';
import type { Ink } from './ink.js';

export { right, tableLines, type Column } from '@muster/plot/table';

/** A table with bold heads. */
export function boldTable(
  ink: Ink,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string[] {
  const [heads = '', ...lines] = tableLines(columns, rows);
  return [ink.bold(heads), ...lines];
}

/** Each line with `by` spaces before it. */
export function indented(lines: readonly string[], by = 2): string[] {
  return lines.map((line) => (line === '' ? line : ' '.repeat(by) + line));
}

/** A text in lines of at most `width` characters; a longer word has a line of its own. */
export function wrapped(text: string, width = 100): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A count with its noun: `1 match`, `1,200 matches`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** A number rounded to its significant digits. */
export function plain(value: number): string {
  return String(Number(value.toPrecision(6)));
}

/** A number with its sign: `+0.250`, `−0.250`. */
export function signed(value: number, digits: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;
}
