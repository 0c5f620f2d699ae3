import { message, type Message, type TicketPlayer } from '@muster/domain';

/** Which calibration match comes next for each newcomer of a ticket: parts of a sentence; none when nobody is calibrated. */
export function calibrationMatches(players: readonly TicketPlayer[]): Message[] {
  const party = players.length > 1;
  return players.flatMap(({ playerId, calibration }) =>
    calibration ? [message('calibration.match', { ...calibration, party, playerId })] : [],
  );
}
