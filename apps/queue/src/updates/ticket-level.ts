import { BoosterRefused, type PlayerRating, type TicketPlayer, type UsableBooster } from '@muster/domain';
import type { Probe } from '../calibration/calibrate.js';

/** What takes the place of a player's rating in a ticket. */
export type Level = Pick<TicketPlayer, 'mu' | 'calibration' | 'booster'>;

/**
 * Newcomers under calibration have the level of their probe, the player of a booster that of its division.
 *
 * @throws BoosterRefused for a newcomer with a booster: calibration chooses the levels
 */
export function levelsOf(
  probes: ReadonlyMap<string, Probe>,
  booster: UsableBooster | undefined,
): (playerId: string) => Level | undefined {
  if (booster) {
    if (probes.size > 0) throw calibrated();
    const { level: mu, ...inUse } = booster;
    return () => ({ mu, booster: inUse });
  }
  return (playerId) => {
    const probe = probes.get(playerId);
    return probe && { mu: probe.level, calibration: probe.calibration };
  };
}

function calibrated(): BoosterRefused {
  return new BoosterRefused(
    'You are being calibrated, at levels that are chosen for it; queue without your booster until that is done.',
  );
}

/** A player in the ticket's form, at their level. @param sent what the client sent about the player */
export function playerAt(
  { playerId, mu, sigma }: PlayerRating,
  levelOf: (playerId: string) => Level | undefined,
  sent: Pick<TicketPlayer, 'canPlay' | 'platform'>,
): TicketPlayer {
  const level = levelOf(playerId) ?? { mu };
  return { playerId, sigma: rounded(sigma), ...level, mu: rounded(level.mu), ...sent };
}

/** To four decimals: precise enough for matching, in half the memory. Ratings are read again when teams are formed. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
