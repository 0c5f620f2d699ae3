import { Label } from '@muster/contracts';
import { BrokenRow, type RefusedRow } from '../match-file/broken-row.js';
import type { RecordedMatch } from '../match-file/match-file.js';
import type { ReportedMatch } from '../match-file/match-row.js';
import { sharesOf } from '../match-file/shares.js';
import type { Situations } from '../match-file/situations.js';

/** The reports of a file's matches. */
export interface Reports {
  readonly matches: readonly RecordedMatch[];
  /** Rows with malformed shares. */
  readonly refused: readonly RefusedRow[];
}

/** Adds the facts of its row to each report: shares, situation, and places in a free-for-all. */
export function reportsOf(matches: readonly RecordedMatch[], situations: Situations): Reports {
  const good: RecordedMatch[] = [];
  const refused: RefusedRow[] = [];
  for (const match of matches) {
    try {
      good.push({
        ...match,
        body: { ...match.body, ...sharesIn(match), ...situationIn(match, situations), ...placesIn(match) },
      });
    } catch (error) {
      if (!(error instanceof BrokenRow)) throw error;
      refused.push({ line: match.line, reason: error.message });
    }
  }
  return { matches: good, refused };
}

type ReportOptions = Pick<ReportedMatch, 'shares' | 'sides' | 'venue' | 'facts'>;

/** An absent player counts as present for the whole match. */
function sharesIn({ body: { teams }, shares }: RecordedMatch): ReportOptions {
  const known = sharesOf(shares, teams)
    ?.flatMap((team, t) => team.map((share, p) => [teams[t]?.[p] ?? '', share] as const))
    .filter(([, share]) => share > 0);
  return known && known.length > 0 ? { shares: Object.fromEntries(known) } : {};
}

function situationIn(match: RecordedMatch, situations: Situations): ReportOptions {
  const { sides, venue } = situations.of(match) ?? {};
  return {
    ...(sides ? { sides: [...sides] } : {}),
    // A context longer than the maximum of a label names no venue.
    ...(venue !== undefined && Label.safeParse(venue).success ? { venue } : {}),
  };
}

/** If every team is one player, the rank is the place on the scoreboard. For two players it would repeat the result. */
function placesIn({ body: { teams, ranks } }: RecordedMatch): ReportOptions {
  if (teams.length <= 2 || teams.some((team) => team.length > 1)) return {};
  return {
    facts: Object.fromEntries(teams.flatMap(([player = ''], t) => [[player, { place: ranks[t] ?? 1 }]])),
  };
}
