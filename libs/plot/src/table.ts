/** The head of a column, which is left-aligned unless it says otherwise. */
export type Column = string | { readonly right: string };

/** Heads of right-aligned columns, as of numbers. */
export function right(...heads: readonly string[]): Column[] {
  return heads.map((head) => ({ right: head }));
}

/** Rows under their heads, as wide as their content. A row may be shorter than the heads. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const heads = columns.map((column) => (typeof column === 'string' ? column : column.right));
  const widths = columns.map((_column, c) =>
    Math.max(...[heads, ...rows].map((row) => [...(row[c] ?? '')].length)),
  );
  const hasHeads = heads.some((head) => head !== '');
  return [...(hasHeads ? [heads] : []), ...rows].map((row) =>
    row
      .map((cell, c) => {
        const room = ' '.repeat(Math.max(0, (widths[c] ?? 0) - [...cell].length));
        return typeof columns[c] === 'object' ? room + cell : cell + room;
      })
      .join('  ')
      .trimEnd(),
  );
}
