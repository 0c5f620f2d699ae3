export interface Column {
  readonly head: string;
  /** Numbers are right-aligned. */
  readonly right?: boolean;
}

/** Rows under their heads, as wide as their content. A row may be shorter than the heads. */
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
