import type { RefusedRow } from './broken-row.js';

/** Rejected rows that have the same error. */
interface Alike extends RefusedRow {
  count: number;
}

/** Different errors that are kept; of a file of something else every line may have its own. */
const mostKinds = 1_000;

/** Rejected rows, by kind of error: of each the number, and the first. */
export class Refusals {
  private readonly kinds = new Map<string, Alike>();
  private total = 0;

  add({ line, reason }: RefusedRow): void {
    this.total++;
    // Errors of one kind differ in numbers and in what they quote.
    const kind = reason.replaceAll(/"(?:[^"\\]|\\.)*"/g, '"').replaceAll(/\d+/g, '0');
    const known = this.kinds.get(kind);
    if (known) known.count++;
    else if (this.kinds.size < mostKinds) this.kinds.set(kind, { line, reason, count: 1 });
  }

  get count(): number {
    return this.total;
  }

  /**
   * The errors as sentences that begin with the file, the most frequent ones first.
   *
   * @param most number of kinds that are listed
   */
  lines(file: string, most = 10): string[] {
    const kinds = [...this.kinds.values()].toSorted((a, b) => b.count - a.count || a.line - b.line);
    const listed = kinds.slice(0, most);
    const rest = this.total - listed.reduce((sum, { count }) => sum + count, 0);
    return [
      ...listed.map(({ line, reason, count }) =>
        count === 1
          ? `${file}, line ${line} refused: ${reason}`
          : `${file}, ${count.toLocaleString('en')} lines refused, the first is line ${line}: ${reason}`,
      ),
      ...(rest > 0 ? [`${file}, ${rest.toLocaleString('en')} more lines refused for other reasons`] : []),
    ];
  }
}
