import type { Division, RatingHistoryRow, Season } from '@muster/domain';
import { divisionAfter } from '@muster/skill';

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

/** How a pool hides ratings, and shows them. */
export interface Visibility {
  readonly divisions: readonly Division[];
  /** How far past a border a mean must be before the division changes. */
  readonly margin: number;
  /** Number of matches for which a rating is hidden from its player. */
  readonly shadowMatches: number;
  readonly seasons: readonly Season[];
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
  visibility: Visibility,
): OwnChange[] {
  const shown: OwnChange[] = [];
  let played = matches - rows.filter(({ kind }) => kind === 'match').length;
  let inSeason = 0;
  let season: Season | undefined;
  let division: string | null = null;
  for (const { sequence, at, kind, eventId, before, after } of rows.toReversed()) {
    const running = visibility.seasons.findLast((each) => each.sequence <= sequence);
    if (running !== season) [season, inSeason, division] = [running, 0, null];
    const isHidden = (): boolean =>
      played < visibility.shadowMatches || inSeason < (season?.placementMatches ?? 0);
    const from: string | null = division ?? step(null, before, visibility);
    const wasHidden = isHidden();
    if (kind === 'match') [played, inSeason] = [played + 1, inSeason + 1];
    division = step(from, after, visibility);
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
function step(current: string | null, belief: unknown, { divisions, margin }: Visibility): string | null {
  const mu = typeof belief === 'object' && belief !== null && 'mu' in belief ? belief.mu : null;
  return typeof mu === 'number' ? divisionAfter(divisions, current, mu, margin).name : current;
}
