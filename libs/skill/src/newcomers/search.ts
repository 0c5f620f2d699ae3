import { Unsolvable } from '@muster/domain';
import { logit, sigmoid } from '../maths/logistic.js';
import type { Meeting } from './meeting.js';

/** The expected balance of a match before it began. Levels are in the pool's units. */
export type Opposition =
  /** The predicted chance of the player's side, with the player at the probe. */
  | { readonly expected: number; readonly scale?: number | undefined }
  /** The level that would have made the match even: in a duel that of the opponent. */
  | { readonly level: number; readonly scale?: number | undefined };

/** The information of one match: a player `d` above `level` wins with log-odds `d / scale`. */
export interface MatchEvidence {
  readonly level: number;
  readonly scale: number;
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

export interface SearchOptions {
  /** Mean of newcomers less, and plus, three standard deviations. */
  readonly from: number;
  readonly to: number;
  readonly matches?: number | undefined;
  /** The least step; by default a fiftieth of the range. */
  readonly floor?: number | undefined;
  readonly open?: number | undefined;
  /**
   * Levels per unit of log-odds: a player who is that much better wins 73 %. By default a fourteenth of the range, which is
   * about right for duels under OpenSkill and Glicko at their own defaults.
   */
  readonly scale?: number | undefined;
}

/**
 * Begins a binary search at the middle of the range.
 *
 * @throws Unsolvable with the invalid number
 */
export function beginSearch(options: SearchOptions): Search {
  const { from, to, matches = 10, open = 0.5 } = options;
  const range = to - from;
  // The range must exceed the rounding errors of its ends.
  if (!(range > 1e-9 * Math.max(Math.abs(from), Math.abs(to))) || !(range < Infinity))
    throw new Unsolvable(`A search needs a range from low to high; this one is from ${from} to ${to}.`);
  const { floor = range / 50, scale = range / 14 } = options;
  if (!Number.isInteger(matches) || matches < 1)
    throw new Unsolvable(`A search takes a whole number of matches, at least 1; this is ${matches}.`);
  if (!(open >= 0 && open < 1))
    throw new Unsolvable(`The part that stays open is from 0 to below 1; this is ${open}.`);
  const step = ((1 - open) * range) / 4;
  if (!(floor > 0 && floor <= step))
    throw new Unsolvable(
      `The least step must be above 0 and at most the first step, ${step}; this is ${floor}.`,
    );
  if (!(scale > 0 && scale < Infinity))
    throw new Unsolvable(`The scale of log-odds must be above 0 and finite; this is ${scale}.`);
  const probe = from + range / 2;
  return {
    from,
    to,
    low: from,
    high: to,
    probe,
    step,
    floor,
    open,
    scale,
    matches: 0,
    of: matches,
    wins: 0,
    record: [],
  };
}

/** The level at which the player is matched next. */
export function probeOf(search: Search): number {
  return search.probe;
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
 * @param opposition the balance of the match; players of the probe's level when absent. A chance is clamped to 0.1 % and
 *   99.9 %, a level to one range beyond the range of newcomers.
 * @param meeting the players met, for the conclusion
 * @throws Unsolvable when the outcome or the opposition is invalid
 */
export function searchAfter(
  search: Search,
  outcome: number,
  opposition?: Opposition,
  meeting?: Meeting,
): Search {
  if (outcome !== 0 && outcome !== 0.5 && outcome !== 1)
    throw new Unsolvable(`An outcome is 1, 0.5 or 0; this is ${outcome}.`);
  const { level, scale } = placeOf(search, opposition);
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

function placeOf(search: Search, opposition: Opposition | undefined): { level: number; scale: number } {
  const scale = opposition?.scale ?? search.scale;
  if (!(scale > 0 && scale < Infinity))
    throw new Unsolvable(`The scale of log-odds must be above 0 and finite; this is ${scale}.`);
  const range = search.to - search.from;
  const held = (level: number): number => Math.min(search.to + range, Math.max(search.from - range, level));
  if (opposition === undefined) return { level: search.probe, scale };
  if ('level' in opposition) {
    if (!Number.isFinite(opposition.level))
      throw new Unsolvable(`The level of the opposition is ${opposition.level}.`);
    return { level: held(opposition.level), scale };
  }
  const { expected } = opposition;
  if (!(expected >= 0 && expected <= 1))
    throw new Unsolvable(`The chance of the player’s side is from 0 to 1; this is ${expected}.`);
  return { level: held(search.probe - scale * logit(Math.min(0.999, Math.max(0.001, expected)))), scale };
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
