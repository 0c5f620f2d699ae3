import { BrokenRow, type RefusedRow } from './broken-row.js';
import { matchOf, type MatchRow } from './match-row.js';

/** A match and its line. */
export interface RecordedMatch extends MatchRow {
  readonly line: number;
}

/** A parsed file of recorded matches. */
export interface MatchFile {
  /** Rows read, valid and rejected. */
  readonly rows: number;
  /** Oldest first. */
  readonly matches: readonly RecordedMatch[];
  readonly refused: readonly RefusedRow[];
  /** Whether the rows had to be sorted. */
  readonly sorted: boolean;
}

const columns = ['match_id', 'time', 'teams', 'ranks', 'context'];
const headers = [columns.join(','), [...columns, 'shares'].join(',')];

/**
 * The number of columns of a match file.
 *
 * @throws Error if it is no match file; the message continues a sentence that begins with the file's name
 */
export function columnsOf(header: string): number {
  if (!headers.includes(header))
    throw new Error(
      `is not a file of recorded matches: its first line must be ${headers[0]} (and ,shares if it has them).`,
    );
  return header.split(',').length;
}

/**
 * Parses a match file. A malformed row does not affect the others.
 *
 * @param limit the maximum number of rows
 * @param latest rows of a later time are rejected, in milliseconds since the epoch
 * @throws Error if it is no match file; the message continues a sentence that begins with the file's name
 */
export function readMatches(text: string, pool: string, limit = Infinity, latest = Infinity): MatchFile {
  const [header = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const width = columnsOf(header);
  const rows = lines
    .map((line, i) => ({ line, number: i + 2 }))
    .filter(({ line }) => line.trim() !== '')
    .slice(0, limit);
  const matches: RecordedMatch[] = [];
  const refused: RefusedRow[] = [];
  for (const { line, number } of rows) {
    try {
      matches.push({ line: number, ...matchOf(line, width, pool, latest) });
    } catch (error) {
      if (!(error instanceof BrokenRow)) throw error;
      refused.push({ line: number, reason: error.message });
    }
  }
  // Ratings depend on the order. Sorting is stable: matches of the same time keep their order.
  const ordered = matches.toSorted((a, b) => a.body.playedAt - b.body.playedAt);
  return {
    rows: rows.length,
    matches: ordered,
    refused,
    sorted: ordered.some((match, i) => match !== matches[i]),
  };
}
