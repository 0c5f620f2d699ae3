import type { QueueRules, WideningCurve } from '@muster/domain';

/** What the rules of a queue let one expect of its tickets. */
export interface Lateness {
  /** A wait from which a ticket is late although enough tickets wait, in seconds. */
  readonly lateSeconds: number;
  /** Players that are enough for a match by then. */
  readonly leastPlayers: number;
}

/** Ticks, proposals and a claim that was lost have happened by then. */
const spareSeconds = 60;

/**
 * When a ticket of a queue is late.
 *
 * 1. With waiting, the rules widen until the last corner of their curves and the last of their steps.
 * 2. A minute later a match was made, if there are enough players for the smallest one.
 * 3. A ticket that expires sooner is late at 0.9 of its time.
 */
export function latenessOf(rules: QueueRules): Lateness {
  const { skillWindow, teamGap, latencyLimitMs, smallerTeams = [], bots } = rules;
  const lastOf = (curve: WideningCurve): number => curve.at(-1)?.afterSeconds ?? 0;
  const widest = Math.max(
    ...[skillWindow, teamGap, latencyLimitMs].map(lastOf),
    rules.pairPartiesSeconds ?? 0,
    rules.maps?.agreeSeconds ?? 0,
    rules.behaviour?.apartSeconds ?? 0,
    ...smallerTeams.map(({ afterSeconds }) => afterSeconds),
    bots?.afterSeconds ?? 0,
  );
  const seats = rules.teams * Math.min(rules.teamSize, ...smallerTeams.map(({ teamSize }) => teamSize));
  return {
    lateSeconds: Math.min(widest + spareSeconds, 0.9 * rules.ticketTtlSeconds),
    leastPlayers: Math.min(seats, bots?.minPlayers ?? seats),
  };
}
