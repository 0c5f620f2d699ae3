import type { HistoricMatch, Need } from '@muster/skill';
import { BrokenRow, quote, type RefusedRow } from '../match-file/broken-row.js';
import type { MatchFile, RecordedMatch } from '../match-file/match-file.js';
import { fillShares, sharesOf } from '../match-file/shares.js';
import { situationsOf, type SituationOptions, type Situations } from '../match-file/situations.js';

/** A match, ready for prediction and rating. */
export interface TestMatch extends HistoricMatch {
  readonly line: number;
  /** The facts that the file has about this match. */
  readonly tells: readonly Need[];
  /** Whether it has different ranks. */
  readonly isDecided: boolean;
}

/** The history of a match file for an evaluation. */
export interface TestHistory {
  /** Oldest first. */
  readonly matches: readonly TestMatch[];
  readonly refused: readonly RefusedRow[];
  readonly players: number;
  readonly situations: Situations;
}

/** Converts the rows of a file to a history. Rejects rows with malformed shares and duplicate matches. */
export function historyOf({ matches, refused }: MatchFile, options: SituationOptions): TestHistory {
  const situations = situationsOf(matches, options);
  const seen = new Map<string, number>();
  const read: TestMatch[] = [];
  const broken: RefusedRow[] = [...refused];
  for (const match of matches) {
    const { line, body } = match;
    try {
      const before = seen.get(body.eventId);
      if (before !== undefined)
        throw new BrokenRow(`match_id ${quote(body.eventId)} is already in line ${before}`);
      read.push(testMatchOf(match, situations));
      seen.set(body.eventId, line);
    } catch (error) {
      if (!(error instanceof BrokenRow)) throw error;
      broken.push({ line, reason: error.message });
    }
  }
  return {
    matches: read,
    refused: broken.toSorted((a, b) => a.line - b.line),
    players: new Set(read.flatMap(({ players }) => players.flat())).size,
    situations,
  };
}

function testMatchOf(match: RecordedMatch, situations: Situations): TestMatch {
  const { line, body, shares } = match;
  const { teams, ranks, playedAt } = body;
  const known = sharesOf(shares, teams);
  // If every team is one player, the rank is the place on the scoreboard. For two players it would repeat the result.
  const isFreeForAll = teams.length > 2 && teams.every((team) => team.length === 1);
  return {
    line,
    players: teams,
    ranks,
    at: playedAt,
    situation: situations.of(match),
    shares: known && fillShares(known),
    facts: isFreeForAll ? ranks.map((place) => [{ place }]) : undefined,
    tells: isFreeForAll ? ['places'] : [],
    isDecided: ranks.some((rank) => rank !== ranks[0]),
  };
}
