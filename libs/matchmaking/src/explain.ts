import { skillOf, type QueueRules, type Ticket, type TicketPlayer } from '@muster/domain';
import { limitAfter, waitUntilAllowed } from './curve.js';

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

/**
 * Why a ticket still waits: which rule binds, and when it will widen. Of newcomers who are calibrated it says so, for what
 * stands for their skill then is a level to try.
 *
 * @param pool all waiting tickets of the queue, the ticket itself included or not
 */
export function explainWaiting(
  ticket: Ticket,
  pool: readonly Ticket[],
  rules: QueueRules,
  now: number,
): string {
  const why = explainRules(ticket, pool, rules, now);
  const calibration = explainCalibration(ticket.players);
  return calibration === null ? why : `${why} This is ${calibration}.`;
}

function explainRules(ticket: Ticket, pool: readonly Ticket[], rules: QueueRules, now: number): string {
  const needed = rules.teams * rules.teamSize;
  const others = pool.filter((other) => other.ticketId !== ticket.ticketId && other.build === ticket.build);
  const players = others.reduce((sum, other) => sum + other.players.length, ticket.players.length);
  if (players < needed) {
    return `${players} of ${needed} players are here (build ${ticket.build}): ${needed - players} more must queue.`;
  }
  const waitedMs = Math.max(0, now - ticket.enqueuedAt);
  const window = limitAfter(rules.skillWindow, waitedMs);
  const skill = skillOf(ticket);
  const distances = others
    .map((other) => ({ distance: Math.abs(skillOf(other) - skill), players: other.players.length }))
    .toSorted((a, b) => a.distance - b.distance);
  let seats = ticket.players.length;
  const last = distances.find((other) => (seats += other.players) >= needed);
  if (last && last.distance > window) {
    const at = waitUntilAllowed(rules.skillWindow, last.distance);
    const when =
      at === null
        ? 'it will not widen that far'
        : `it will in ${Math.max(0, (at - waitedMs) / 1000).toFixed(0)} s`;
    return `Enough players wait, but the ${needed} nearest are up to ${last.distance.toFixed(1)} away and the window is ${window.toFixed(1)}; ${when}.`;
  }
  const gap = limitAfter(rules.teamGap, waitedMs);
  const limit = Number.isFinite(gap) ? `differ by ${gap.toFixed(1)} at most by now` : 'be of any strength';
  return `Enough players are near, but teams of those who wait now would be too uneven (they may ${limit}), or parties or regions do not fit together yet.`;
}
