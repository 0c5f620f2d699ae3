import { Label } from '@muster/contracts';
import { BrokenRow, type RefusedRow } from '../match-file/broken-row.js';
import type { RecordedMatch } from '../match-file/match-file.js';
import type { ReportedMatch } from '../match-file/match-row.js';
import { sharesOf } from '../match-file/shares.js';
import type { Situations } from '../match-file/situations.js';

/** Matches with all that their rows say. */
export interface Reports {
  readonly matches: readonly RecordedMatch[];
  /** Rows whose shares are broken. */
  readonly refused: readonly RefusedRow[];
}

/** Puts into each report what its row says beyond ranks: shares, the situation, and places where everybody is a team. */
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

type Told = Pick<ReportedMatch, 'shares' | 'sides' | 'venue' | 'facts'>;

/** Who is left out took part in all of it, as far as is known. */
function sharesIn({ body: { teams }, shares }: RecordedMatch): Told {
  const known = sharesOf(shares, teams)
    ?.flatMap((team, t) => team.map((share, p) => [teams[t]?.[p] ?? '', share] as const))
    .filter(([, share]) => share > 0);
  return known && known.length > 0 ? { shares: Object.fromEntries(known) } : {};
}

function situationIn(match: RecordedMatch, situations: Situations): Told {
  const { sides, venue } = situations.of(match) ?? {};
  return {
    ...(sides ? { sides: [...sides] } : {}),
    // A context may be longer than a label is; such a one names no venue.
    ...(venue !== undefined && Label.safeParse(venue).success ? { venue } : {}),
  };
}

/** Where everybody is a team, the rank is the place on the scoreboard. A board of two says no more than who won. */
function placesIn({ body: { teams, ranks } }: RecordedMatch): Told {
  if (teams.length <= 2 || teams.some((team) => team.length > 1)) return {};
  return {
    facts: Object.fromEntries(teams.flatMap(([player = ''], t) => [[player, { place: ranks[t] ?? 1 }]])),
  };
}
