import { message, type Message, type TicketPlayer } from '@muster/domain';

/** The next calibration match of each newcomer of a ticket, as parts of a sentence; empty when nobody is calibrated. */
export function calibrationMatches(players: readonly TicketPlayer[]): Message[] {
  const party = players.length > 1;
  return players.flatMap(({ playerId, calibration }) =>
    calibration ? [message('calibration.match', { ...calibration, party, playerId })] : [],
  );
}
