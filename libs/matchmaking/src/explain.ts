import type { TicketPlayer } from '@muster/domain';

/**
 * Which calibration match comes next for a ticket's players, such as "calibration match 3 of 10": the end of a sentence that
 * begins with the match. Null when nobody is calibrated.
 */
export function explainCalibration(players: readonly TicketPlayer[]): string | null {
  const tried = players.flatMap(({ playerId, calibration }) =>
    calibration
      ? [`${calibration.match} of ${calibration.of}${players.length > 1 ? ` for ${playerId}` : ''}`]
      : [],
  );
  return tried.length === 0 ? null : `calibration match ${tried.join(', ')}`;
}
