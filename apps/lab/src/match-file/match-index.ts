import { BrokenRow, quote } from './broken-row.js';
import { LineReader, type Bytes } from './bytes.js';
import { IdTable } from './id-table.js';
import { columnsOf } from './match-file.js';
import { rowOf, type MatchRow } from './match-row.js';
import { Numbers } from './numbers.js';
import { Refusals } from './refusals.js';

/** Where the matches of a file are, oldest first: three numbers a match, which threads can share. */
export interface MatchIndex {
  readonly columns: number;
  /** By match: its line, and the position of that line. */
  readonly lines: Float64Array;
  readonly positions: Float64Array;
  /** By match: what was noted of it. */
  readonly notes: Float64Array;
}

/** What rows of a file are checked for. */
export interface RowChecks {
  /** The maximum number of rows. */
  readonly limit: number;
  /** Rows of a later time are rejected, in milliseconds since the epoch. */
  readonly latest: number;
  /** @throws BrokenRow for what else is wrong */
  check(match: MatchRow): void;
}

/** The name of the pool only completes a row; nothing is reported. */
const pool = 'evaluation';

/**
 * Reads a match file once, and finds its valid rows. Memory holds a few numbers a match.
 *
 * @param noteOf called with each valid match, in the order of the file; its numbers are kept
 * @throws Error if it is no match file; the message continues a sentence that begins with the file's name
 */
export function indexMatches(
  bytes: Bytes,
  { limit, latest, check }: RowChecks,
  noteOf: (match: MatchRow) => number,
): { readonly index: MatchIndex; readonly refusals: Refusals } {
  const reader = new LineReader(bytes);
  const header = reader.at(0);
  const columns = columnsOf((header?.text ?? '').replace(/^\uFEFF/, ''));
  const found = new FoundMatches(bytes, columns);
  const refusals = new Refusals();
  let position = header?.next ?? 0;
  for (let line = 2, rows = 0; rows < limit; line++) {
    const read = reader.at(position);
    if (!read) break;
    if (read.text.trim() !== '') {
      rows++;
      try {
        const match = rowOf(read.text, columns, pool, latest);
        check(match);
        found.add(match, line, position);
        found.note(noteOf(match));
      } catch (error) {
        if (!(error instanceof BrokenRow)) throw error;
        refusals.add({ line, reason: error.message });
      }
    }
    position = read.next;
  }
  return { index: found.index(), refusals };
}

/** The valid rows found so far. */
class FoundMatches {
  private readonly lines = new Numbers();
  private readonly positions = new Numbers();
  private readonly times = new Numbers();
  private readonly notes = new Numbers();
  private readonly ids = new IdTable();
  /** Reads rows again, apart from the reader that goes on. */
  private readonly again: LineReader;

  constructor(
    bytes: Bytes,
    private readonly columns: number,
  ) {
    this.again = new LineReader(bytes);
  }

  /** @throws BrokenRow for a match without an id, or one that is there */
  add({ body: { eventId, playedAt } }: MatchRow, line: number, position: number): void {
    if (eventId === '') throw new BrokenRow('match_id is empty');
    for (const earlier of this.ids.candidates(eventId))
      if (this.idOf(earlier) === eventId)
        throw new BrokenRow(`match_id ${quote(eventId)} is already in line ${this.lines.values[earlier]}`);
    this.ids.add(eventId, this.lines.values.length);
    this.lines.push(line);
    this.positions.push(position);
    this.times.push(playedAt);
  }

  note(note: number): void {
    this.notes.push(note);
  }

  /** Ratings depend on the order. Sorting is stable: matches of the same time keep their order. */
  index(): MatchIndex {
    const { columns, lines, positions, notes } = this;
    const at = this.times.values;
    const order = at.every((time, i) => i === 0 || time >= (at[i - 1] ?? time))
      ? undefined
      : Float64Array.from(at, (_, i) => i).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0) || a - b);
    return {
      columns,
      lines: lines.shared(order),
      positions: positions.shared(order),
      notes: notes.shared(order),
    };
  }

  private idOf(match: number): string | null {
    const read = this.again.at(this.positions.values[match] ?? 0);
    return read && rowOf(read.text, this.columns, pool, Infinity).body.eventId;
  }
}

/** The matches of an index, oldest first, each read when it is asked for. */
export function* indexedMatches(
  bytes: Bytes,
  { columns, lines, positions }: MatchIndex,
): Generator<MatchRow & { readonly line: number }> {
  const reader = new LineReader(bytes);
  for (let i = 0; i < positions.length; i++) {
    const read = reader.at(positions[i] ?? 0);
    if (read) yield { line: lines[i] ?? 0, ...rowOf(read.text, columns, pool, Infinity) };
  }
}
