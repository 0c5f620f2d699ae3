export interface Column {
  readonly head: string;
  /** Numbers stand to the right. */
  readonly right?: boolean;
}

/** Rows under their heads, as wide as what stands in them. A row may be shorter than the heads. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const heads = columns.map(({ head }) => head);
  const widths = columns.map((_column, c) =>
    Math.max(...[heads, ...rows].map((row) => [...(row[c] ?? '')].length)),
  );
  const hasHeads = heads.some((head) => head !== '');
  return [...(hasHeads ? [heads] : []), ...rows].map((row) =>
    row
      .map((cell, c) => {
        const room = ' '.repeat(Math.max(0, (widths[c] ?? 0) - [...cell].length));
        return columns[c]?.right ? room + cell : cell + room;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Each line with so many spaces before it. */
export function indented(lines: readonly string[], by = 2): string[] {
  return lines.map((line) => (line === '' ? line : ' '.repeat(by) + line));
}

/** A text in lines of at most `width` characters; a longer word stands alone. */
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

/** A count with its word: `1 match`, `1,200 matches`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** A number without the noise of its last bits. */
export function plain(value: number): string {
  return String(Number(value.toPrecision(6)));
}
