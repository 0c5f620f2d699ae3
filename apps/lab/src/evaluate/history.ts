import type { HistoricMatch } from '@muster/lab-simulation';
import type { Need } from '@muster/skill';
import type { Bytes } from '../match-file/bytes.js';
import { indexedMatches, indexMatches, type MatchIndex } from '../match-file/match-index.js';
import type { MatchRow } from '../match-file/match-row.js';
import type { Refusals } from '../match-file/refusals.js';
import { ScoreScan, scoreOf } from '../match-file/scores.js';
import { fillShares, sharesOf } from '../match-file/shares.js';
import {
  SituationScan,
  situationsBy,
  type SituationOptions,
  type SituationPlan,
} from '../match-file/situations.js';

/** A match, ready for prediction and rating. */
export interface TestMatch extends HistoricMatch {
  readonly line: number;
  readonly matchId: string;
  /** The facts that the file has about this match. */
  readonly tells: readonly Need[];
  /** Whether it is scored: a decided match after the first fifth of these. */
  readonly isScored: boolean;
}

/** What is known of a match file before its matches are replayed. A value that threads can share. */
export interface HistoryPlan {
  readonly index: MatchIndex;
  /** Valid matches. */
  readonly matches: number;
  readonly players: number;
  /** Players of the largest team. */
  readonly largestTeam: number;
  /** Matches with a winner. */
  readonly decided: number;
  /** Matches of more than two teams among the scored ones. */
  readonly scoredRaces: number;
  readonly situations: SituationPlan;
  /** Whether the context ends in the score of a match; see `ScoreScan`. */
  readonly hasScores: boolean;
}

export interface HistoryOptions extends SituationOptions {
  readonly limit?: number | undefined;
  /** Rows of a later time are rejected, in milliseconds since the epoch. */
  readonly latest?: number;
}

/** What is noted of a match: whether it has a winner, and of how many. */
const notes = { undecided: 0, duel: 1, race: 2 };

/** The fraction of decided matches that is not scored, because most players are still unknown. */
const warmUp = 0.2;

/**
 * Reads a match file once. Rejects malformed rows and duplicate matches.
 *
 * @throws Error if it is no match file; the message continues a sentence that begins with the file's name
 */
export function planHistory(
  bytes: Bytes,
  options: HistoryOptions,
): { readonly plan: HistoryPlan; readonly refusals: Refusals } {
  const scan = new SituationScan();
  const scores = new ScoreScan();
  const players = new Set<string>();
  let largestTeam = 1;
  let decided = 0;
  const checks = {
    limit: options.limit ?? Infinity,
    latest: options.latest ?? Infinity,
    check: ({ shares, body }: MatchRow) => sharesOf(shares, body.teams),
  };
  const { index, refusals } = indexMatches(bytes, checks, (match) => {
    const { teams, ranks } = match.body;
    scan.add(match);
    scores.add(match);
    for (const team of teams) {
      largestTeam = Math.max(largestTeam, team.length);
      for (const player of team) players.add(player);
    }
    if (!isDecided(ranks)) return notes.undecided;
    decided++;
    return teams.length > 2 ? notes.race : notes.duel;
  });
  const situations = scan.plan(options);
  const matches = index.lines.length;
  const scoredRaces = index.notes
    .filter((note) => note !== notes.undecided)
    .subarray(decided - scoredOf({ decided }))
    .filter((note) => note === notes.race).length;
  return {
    plan: {
      index,
      matches,
      players: players.size,
      largestTeam,
      decided,
      scoredRaces,
      situations,
      hasScores: scores.areKnown,
    },
    refusals,
  };
}

/** The number of scored matches. */
export function scoredOf({ decided }: Pick<HistoryPlan, 'decided'>): number {
  return decided - Math.floor(decided * warmUp);
}

/** The matches of a file, oldest first, each read when it is asked for. */
export function* matchesOf(bytes: Bytes, plan: HistoryPlan): Generator<TestMatch> {
  const situations = situationsBy(plan.situations);
  let unscored = plan.decided - scoredOf(plan);
  for (const match of indexedMatches(bytes, plan.index)) {
    const { line, body, shares } = match;
    const { teams, ranks, playedAt, eventId } = body;
    const known = sharesOf(shares, teams);
    // If every team is one player, the rank is the place on the scoreboard. For two players it would repeat the result.
    const isFreeForAll = teams.length > 2 && teams.every((team) => team.length === 1);
    const score = plan.hasScores ? scoreOf(match) : null;
    yield {
      line,
      matchId: eventId,
      players: teams,
      ranks,
      at: playedAt,
      situation: situations.of(match),
      shares: known && fillShares(known),
      facts: isFreeForAll ? ranks.map((place) => [{ place }]) : (score?.facts ?? undefined),
      tells: isFreeForAll ? ['places'] : [],
      isScored: isDecided(ranks) && unscored-- <= 0,
    };
  }
}

function isDecided(ranks: readonly number[]): boolean {
  return ranks.some((rank) => rank !== ranks[0]);
}
