import type { HistoricMatch, Need } from '@muster/skill';
import { BrokenRow, quote, type RefusedRow } from '../match-file/broken-row.js';
import type { MatchFile, RecordedMatch } from '../match-file/match-file.js';
import { fillShares, sharesOf } from '../match-file/shares.js';
import { situationsOf, type SituationOptions, type Situations } from '../match-file/situations.js';

/** A match ready to be predicted and rated. */
export interface TestMatch extends HistoricMatch {
  readonly line: number;
  /** Facts that the file tells of this match. */
  readonly tells: readonly Need[];
  /** Whether someone came before someone else. */
  readonly isDecided: boolean;
}

/** What a match file comes to for an evaluation. */
export interface TestHistory {
  /** Oldest first. */
  readonly matches: readonly TestMatch[];
  readonly refused: readonly RefusedRow[];
  readonly players: number;
  readonly situations: Situations;
}

/** Makes a history of the rows of a file. Rows with broken shares, or of a match that was there before, are refused. */
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
        throw new BrokenRow(`match_id ${quote(body.eventId)} stands in line ${before} already`);
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
  // Where everybody is a team, the rank is the place on the scoreboard. A board of two says no more than who won.
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
