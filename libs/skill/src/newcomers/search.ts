import { Unsolvable } from '@muster/domain';
import { sigmoid } from '../maths/logistic.js';
import type { Meeting } from './meeting.js';

/** The balance of a match before it began. Levels are in the pool's units. */
export interface Opposition {
  /** The level that would have made the match even: in a duel that of the opponent. */
  readonly level: number;
  /** Levels per unit of log-odds in this match. */
  readonly scale: number;
}

/** The information of one match: a player `d` above `level` wins with log-odds `d / scale`. */
export interface MatchEvidence extends Opposition {
  /** 1 won, ½ drawn, 0 lost. */
  readonly outcome: number;
  /** The players met; the conclusion uses them where they are known. */
  readonly meeting?: Meeting;
}

/** The search for a newcomer's level: an immutable value, fit for JSON. Levels are in the pool's units. */
export interface Search {
  /** The range that newcomers come from, three standard deviations to either side of their mean. */
  readonly from: number;
  readonly to: number;
  /** The remaining interval; `probe` is its middle. Never narrower than the floor requires. */
  readonly low: number;
  readonly high: number;
  /** The level at which the player is matched next. */
  readonly probe: number;
  /** How far the probe moves after an even match. At most halved by a match, never below `floor`. */
  readonly step: number;
  readonly floor: number;
  /** Share of the losing side of the interval that remains after an even match, from 0 to below 1. */
  readonly open: number;
  /** Default of levels per unit of log-odds. */
  readonly scale: number;
  /** Matches played so far, and the total. */
  readonly matches: number;
  readonly of: number;
  /** Matches won, a draw counted as half. */
  readonly wins: number;
  readonly record: readonly MatchEvidence[];
}

/** Share of the losing side of the interval that remains after an even match. */
const open = 0.5;

/**
 * Begins a binary search at the middle of the range. A player who is a fourteenth of it better wins 73 %: that is about right for
 * duels under OpenSkill and Glicko at their own defaults.
 *
 * @param range mean of newcomers less, and plus, three standard deviations
 * @throws Unsolvable with the invalid number
 */
export function beginSearch({
  from,
  to,
  matches = 10,
}: Pick<Search, 'from' | 'to'> & { readonly matches?: number | undefined }): Search {
  const range = to - from;
  // The range must exceed the rounding errors of its ends.
  if (!(range > 1e-9 * Math.max(Math.abs(from), Math.abs(to))) || !(range < Infinity))
    throw new Unsolvable(`A search needs a range from low to high; this one is from ${from} to ${to}.`);
  if (!Number.isInteger(matches) || matches < 1)
    throw new Unsolvable(`A search takes a whole number of matches, at least 1; this is ${matches}.`);
  return {
    from,
    to,
    low: from,
    high: to,
    probe: from + range / 2,
    step: ((1 - open) * range) / 4,
    floor: range / 50,
    open,
    scale: range / 14,
    matches: 0,
    of: matches,
    wins: 0,
    record: [],
  };
}

/** Whether all matches were played. A match that was under way by then may still be added. */
export function searchDone(search: Search): boolean {
  return search.matches >= search.of;
}

/**
 * The search after a match. The probe moves up after a win and down after a loss: by the whole step when the match was
 * even, by less when the result was expected or carries little information about one player. A surprise moves it no further
 * than that. The interval loses on the losing side twice the probe's move, so its middle stays the probe. At the floor it
 * no longer shrinks but moves as a whole.
 *
 * @param outcome 1 won, ½ drawn, 0 lost
 * @param opposition the balance of the match; players of the probe's level when absent. A level is clamped to one range beyond
 *   the range of newcomers.
 * @param meeting the players met, for the conclusion
 * @throws Unsolvable when the outcome or the opposition is invalid
 */
export function searchAfter(
  search: Search,
  outcome: number,
  opposition: Opposition = { level: search.probe, scale: search.scale },
  meeting?: Meeting,
): Search {
  if (outcome !== 0 && outcome !== 0.5 && outcome !== 1)
    throw new Unsolvable(`An outcome is 1, 0.5 or 0; this is ${outcome}.`);
  const { scale } = opposition;
  if (!(scale > 0 && scale < Infinity))
    throw new Unsolvable(`The scale of log-odds must be above 0 and finite; this is ${scale}.`);
  if (!Number.isFinite(opposition.level))
    throw new Unsolvable(`The level of the opposition is ${opposition.level}.`);
  const range = search.to - search.from;
  const level = Math.min(search.to + range, Math.max(search.from - range, opposition.level));
  const surprise = outcome - sigmoid((search.probe - level) / scale);
  // The information about one player falls with the scale: one among many decides little.
  const telling = Math.min(1, 2 * Math.abs(surprise) * Math.min(1, search.scale / scale));
  const moved = telling * search.step;
  const width = Math.max((4 * search.floor) / (1 - search.open), search.high - search.low - 2 * moved);
  const wanted = search.probe + Math.sign(surprise) * moved;
  const probe = Math.min(search.to - width / 2, Math.max(search.from + width / 2, wanted));
  return {
    ...search,
    low: probe - width / 2,
    high: probe + width / 2,
    probe,
    step: Math.max(search.floor, ((1 - search.open) * width) / 4),
    matches: search.matches + 1,
    wins: search.wins + outcome,
    record: [...search.record, { level, scale, outcome, ...(meeting && { meeting }) }],
  };
}

/** Parses a search from JSON. @throws TypeError when it is invalid */
export function readSearch(json: unknown): Search {
  if (typeof json === 'object' && json !== null) {
    const search = json as Search;
    const numbers = [
      search.from,
      search.to,
      search.low,
      search.high,
      search.probe,
      search.step,
      search.floor,
      search.open,
      search.scale,
      search.matches,
      search.of,
      search.wins,
    ];
    if (numbers.every(Number.isFinite) && Array.isArray(search.record) && search.record.every(isEvidence))
      return search;
  }
  throw new TypeError(`not a search for a level: ${JSON.stringify(json)}`);
}

function isEvidence(each: unknown): boolean {
  if (typeof each !== 'object' || each === null) return false;
  const { level, scale, outcome, meeting } = each as MatchEvidence;
  return (
    Number.isFinite(level) &&
    scale > 0 &&
    scale < Infinity &&
    Number.isFinite(outcome) &&
    (meeting === undefined || isMeeting(meeting))
  );
}

function isMeeting({ matchId, teams, ranks }: Meeting): boolean {
  return (
    typeof matchId === 'string' &&
    Array.isArray(teams) &&
    Array.isArray(ranks) &&
    ranks.length === teams.length &&
    ranks.every(Number.isFinite) &&
    teams
      .flat()
      .every(({ playerId, mu, sigma }) => typeof playerId === 'string' && Number.isFinite(mu + sigma))
  );
}
