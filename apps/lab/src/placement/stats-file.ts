import { BrokenRow, quote, type RefusedRow } from '../match-file/broken-row.js';
import { splitCsvLine } from '../match-file/csv-line.js';
import { checkPast, parseRecordedTime } from '../match-file/recorded-time.js';

/** A player's stats in a match. */
export interface StatsRow {
  readonly line: number;
  readonly match: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly player: string;
  readonly side: string;
  readonly won: boolean;
  /** Share of the match played, 0 to 1; 0 is unknown. */
  readonly share: number;
  /** Those that are not empty: players of a role may have stats of their own. */
  readonly stats: Readonly<Record<string, number>>;
}

/** A parsed stats file. */
export interface StatsFile {
  readonly rows: readonly StatsRow[];
  readonly refused: readonly RefusedRow[];
}

const columns = ['match_id', 'date', 'player', 'side', 'won', 'pct_played'];

/**
 * Parses a file with a row per player and match. A malformed row does not affect the others.
 *
 * @param latest rows of a later time are rejected, in milliseconds since the epoch
 * @throws Error if it is no such file; the message continues a sentence that begins with the file's name
 */
export function readStats(text: string, latest = Infinity): StatsFile {
  const [header = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const names = header.split(',');
  const stats = names.slice(columns.length);
  if (columns.some((name, i) => names[i] !== name) || stats.length === 0)
    throw new Error(
      `is not a file of player stats: its first line must be ${columns.join(',')} and then the names of the stats.`,
    );
  const twice = names.find((name, i) => name.trim() === '' || names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new Error(`names a column ${quote(twice)} twice or not at all; each needs a name of its own.`);
  const rows: StatsRow[] = [];
  const refused: RefusedRow[] = [];
  const seen = new Map<string, number>();
  lines.forEach((line, i) => {
    if (line.trim() === '') return;
    try {
      const row = rowOf(line, i + 2, stats, latest);
      const key = JSON.stringify([row.match, row.player]);
      const before = seen.get(key);
      if (before !== undefined)
        throw new BrokenRow(`player ${quote(row.player)} is already in this match in line ${before}`);
      seen.set(key, row.line);
      rows.push(row);
    } catch (error) {
      if (!(error instanceof BrokenRow)) throw error;
      refused.push({ line: i + 2, reason: error.message });
    }
  });
  return { rows, refused };
}

function rowOf(line: string, number: number, names: readonly string[], latest: number): StatsRow {
  const fields = splitCsvLine(line);
  const width = columns.length + names.length;
  if (fields.length !== width)
    throw new BrokenRow(
      `it has ${fields.length} ${fields.length === 1 ? 'column' : 'columns'} where the header has ${width}`,
    );
  const [match = '', date = '', player = '', side = '', won = '', share = '', ...stats] = fields;
  const at = parseRecordedTime(date);
  if (at === undefined) throw new BrokenRow(`date ${quote(date)} is not of the form 2004-07-13`);
  checkPast('date', date, at, latest);
  if (match === '' || player === '' || side === '')
    throw new BrokenRow('a match, a player and a side need a name each');
  if (won !== '0' && won !== '1') throw new BrokenRow(`won is ${quote(won)}; it must be 1 or 0`);
  const percent = numberOf('pct_played', share);
  if (percent < 0 || percent > 100)
    throw new BrokenRow(`pct_played ${quote(share)} is not a number from 0 to 100`);
  return {
    line: number,
    match,
    at,
    player,
    side,
    won: won === '1',
    share: percent / 100,
    stats: Object.fromEntries(
      names.flatMap((name, i): [string, number][] => {
        const text = stats[i] ?? '';
        return text.trim() === '' ? [] : [[name, numberOf(name, text)]];
      }),
    ),
  };
}

/** Squares and sums of larger numbers may overflow. */
const largest = 1e12;

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(Math.abs(value) <= largest))
    throw new BrokenRow(`${name} ${quote(text)} is not a number from -${largest} to ${largest}`);
  return value;
}
