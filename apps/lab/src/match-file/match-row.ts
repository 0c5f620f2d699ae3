import { inPlainWords, ReportResult } from '@muster/contracts';
import { BrokenRow, quote } from './broken-row.js';
import { splitCsvLine } from './csv-line.js';
import { checkPast, parseRecordedTime } from './recorded-time.js';

/** A row in the form of the results API. */
export type ReportedMatch = ReportResult & { readonly playedAt: number };

/** A parsed row. Context and shares are not part of a reported result. */
export interface MatchRow {
  readonly body: ReportedMatch;
  readonly context: string;
  /** Unparsed; see `sharesOf`. Empty if the file has none. */
  readonly shares: string;
}

/**
 * Parses one row of a match file, for a report to a pool.
 *
 * @param columns the number of columns of the header
 * @param latest the latest possible time, in milliseconds since the epoch
 * @throws BrokenRow with the first error
 */
export function matchOf(line: string, columns: number, pool: string, latest: number): MatchRow {
  const row = rowOf(line, columns, pool, latest);
  checkByContract(row.body);
  return row;
}

/** Parses one row for use on this machine, where any text is an id. Parameters and errors as of `matchOf`. */
export function rowOf(line: string, columns: number, pool: string, latest: number): MatchRow {
  const fields = splitCsvLine(line);
  if (fields.length !== columns) {
    throw new BrokenRow(
      `it has ${fields.length} ${fields.length === 1 ? 'column' : 'columns'} where the header has ${columns}`,
    );
  }
  const [eventId = '', time = '', teams = '', ranks = '', context = '', shares = ''] = fields;
  const body = {
    eventId,
    pool,
    playedAt: timeOf(time, latest),
    teams: teamsOf(teams),
    ranks: ranks.split(';').map(rankOf),
  };
  if (body.ranks.length !== body.teams.length) {
    throw new BrokenRow(`teams and ranks differ in number: ${body.teams.length} and ${body.ranks.length}`);
  }
  return { body, context, shares };
}

function timeOf(text: string, latest: number): number {
  const time = parseRecordedTime(text);
  if (time === undefined)
    throw new BrokenRow(
      `time ${quote(text)} is not of the form 2004-07-13T17:02:13 (UTC), 2004-07-13, 20040713 or 2004`,
    );
  checkPast('time', text, time, latest);
  return time;
}

function teamsOf(text: string): string[][] {
  const teams = text.split(';').map((team) => (team === '' ? [] : team.split('|')));
  if (teams.length < 2) throw new BrokenRow('it has one team only; teams are separated by ;');
  const seen = new Set<string>();
  teams.forEach((team, t) => {
    if (team.length === 0) throw new BrokenRow(`team ${t + 1} is empty`);
    for (const player of team) {
      if (player === '') throw new BrokenRow(`team ${t + 1} has a player without a name`);
      if (seen.has(player)) throw new BrokenRow(`player ${quote(player)} is in the match twice`);
      seen.add(player);
    }
  });
  return teams;
}

function rankOf(text: string): number {
  const rank = Number(text);
  if (!/^\d+$/.test(text) || rank < 1)
    throw new BrokenRow(`rank ${quote(text)} is not a whole number from 1`);
  return rank;
}

/** The service's schema validates the rest (ids, number of teams). */
function checkByContract(body: ReportedMatch): void {
  const [issue] = ReportResult.safeParse(body, { error: inPlainWords }).error?.issues ?? [];
  if (!issue) return;
  const [field, team, player] = issue.path;
  if (field === 'eventId') throw new BrokenRow(`match_id ${quote(body.eventId)} ${issue.message}`);
  if (field === 'teams' && typeof team === 'number' && typeof player === 'number') {
    throw new BrokenRow(`player ${quote(body.teams[team]?.[player] ?? '')} ${issue.message}`);
  }
  throw new BrokenRow(`${issue.path.map(String).join('.')}: ${issue.message}`);
}
