import type { SeasonView, StandingView } from '@muster/contracts';
import type { RankedStanding } from '@muster/domain';
import type { Identity } from '@muster/platform';
import type { StoredSeason } from './new-season.js';

/** A season for its reader: only operators see which of them began it. */
export function seasonView(season: StoredSeason, who: Pick<Identity, 'kind'>): SeasonView {
  const state = season.endedAt === null ? (season.startedAt === null ? 'announced' : 'running') : 'ended';
  return { ...season, by: who.kind === 'operator' ? season.by : 'operator', state };
}

/** A final standing for its reader. Players see no figures, and of others only who has a rank. @returns null for nothing */
export function standingView(
  { rank, playerId, division, hidden, matches, mu, sigma }: RankedStanding,
  who: Identity,
  name: string | null,
): StandingView | null {
  if (who.kind !== 'player') return { rank, playerId, name, division, matches, mu, sigma };
  if (rank === null && who.playerId !== playerId) return null;
  return { rank, playerId, name, division: hidden ? null : division, matches };
}
