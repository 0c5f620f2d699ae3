import type { PoolRules, RatingHistoryRow, Season } from '@muster/domain';
import { divisionAfter, type OpenPool } from '@muster/skill';

/** What a pool shows of ratings. */
type Shown = Pick<OpenPool, 'divisions' | 'margin'> & { readonly rules: Pick<PoolRules, 'shadowMatches'> };

/** How a player's rating changed, as they see it: no number, no author, no reason. */
export interface OwnChange {
  readonly at: number;
  readonly kind: Exclude<RatingHistoryRow['kind'], 'rebuild' | 'signal'>;
  /** Null: no match made the change. */
  readonly matchId: string | null;
  /** The divisions before and after it; null while the rating was hidden. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * A player's history as they may see it.
 *
 * 1. Signals of integrity are left out: a player is not told what watches them.
 * 2. What was hidden stays hidden: the first matches of the pool, and the placement matches of a season.
 * 3. Divisions are those of today, with their margin. The first row uses its value alone, so read more rows than are shown.
 *
 * @param rows newest first, without gaps @param matches rated matches of the player today @returns newest first
 */
export function ownHistory(
  rows: readonly RatingHistoryRow[],
  matches: number,
  open: Shown,
  seasons: readonly Season[],
): OwnChange[] {
  const shown: OwnChange[] = [];
  let played = matches - rows.filter(({ kind }) => kind === 'match').length;
  let inSeason = 0;
  let season: Season | undefined;
  let division: string | null = null;
  for (const { sequence, at, kind, eventId, before, after } of rows.toReversed()) {
    const running = seasons.findLast((each) => each.sequence <= sequence);
    if (running !== season) [season, inSeason, division] = [running, 0, null];
    const isHidden = (): boolean =>
      played < open.rules.shadowMatches || inSeason < (season?.placementMatches ?? 0);
    const from: string | null = division ?? step(null, before, open);
    const wasHidden = isHidden();
    if (kind === 'match') [played, inSeason] = [played + 1, inSeason + 1];
    division = step(from, after, open);
    if (kind === 'rebuild' || kind === 'signal') continue;
    shown.push({
      at,
      kind,
      matchId: kind === 'match' || kind === 'void' ? eventId : null,
      before: wasHidden ? null : from,
      after: isHidden() ? null : division,
    });
  }
  return shown.toReversed();
}

/** The division of a player who was in `current`; unchanged without a value. */
function step(current: string | null, belief: unknown, { divisions, margin }: Shown): string | null {
  const mu = typeof belief === 'object' && belief !== null && 'mu' in belief ? belief.mu : null;
  return typeof mu === 'number' ? divisionAfter(divisions, current, mu, margin).name : current;
}
