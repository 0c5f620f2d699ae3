import type { BoosterInUse } from '../ratings/booster.js';
import type { Message } from '../messages/message.js';
import type { SkillBelief } from '../ratings/rating.js';

/**
 * `waiting → proposed → (accepting) → placing → assigned`, or an end: `cancelled`, `expired`, `failed`. `accepting` is for
 * queues with a ready check. A refused proposal returns innocent tickets to `waiting` with their first enqueue time, and so
 * does a match that its server cancels to have it formed again.
 */
export const ticketStates = [
  'waiting',
  'proposed',
  'accepting',
  'placing',
  'assigned',
  'cancelled',
  'expired',
  'failed',
] as const;
export type TicketState = (typeof ticketStates)[number];

/** The number of a newcomer's next calibration match, from 1, and the total. */
export interface CalibrationMatch {
  readonly match: number;
  readonly of: number;
}

/** One member of a ticket, with the rating read when it was enqueued. */
export interface TicketPlayer extends SkillBelief {
  readonly playerId: string;
  /** Present while the player is calibrated: then `mu` is not the rating but the level of their probe. */
  readonly calibration?: CalibrationMatch;
  /** Present with a booster: then `mu` is the level of its division, and teams count the rating. */
  readonly booster?: BoosterInUse;
  /** Roles of the queue's rules that the player can play; absent: none of them. */
  readonly canPlay?: readonly string[];
  /** The player's platform, such as `pc`; absent: not sent. */
  readonly platform?: string;
}

/** A player to keep away from a ticket's players. */
export interface Avoided {
  readonly playerId: string;
  /** Off the same team, or off the same match. */
  readonly scope: 'team' | 'match';
}

/** A JSON document that Muster passes on to the server of a match. */
export type TicketAttributes = Readonly<Record<string, unknown>>;

/** The immutable part of a ticket. */
export interface Ticket {
  readonly ticketId: string;
  readonly queue: string;
  /** The client build: only equal builds meet, and only on servers of that build. */
  readonly build: string;
  /** The leader first. One player, or a party that stays together. */
  readonly players: readonly TicketPlayer[];
  /** Measured latency by region in milliseconds; empty means that any region will do. */
  readonly latencyMs: Readonly<Record<string, number>>;
  /** Maps of the queue's rules that its players wish for; absent or empty: any. */
  readonly maps?: readonly string[];
  readonly avoid?: readonly Avoided[];
  /** False when one of its players plays with their own platform only; then all its players are on that one. */
  readonly crossPlay?: false;
  /** The lowest behaviour score of its players, 0 to 1; absent: none has reports. */
  readonly behaviour?: number;
  /** The party it was created from; absent for a single player and for parties that used passes. */
  readonly partyId?: string;
  /** A small document of its leader for the server of its match; absent: none. */
  readonly attributes?: TicketAttributes;
  /** The version of the queue's rules when it was created. */
  readonly rulesVersion?: number;
  /** The trace that it continues: a W3C traceparent, and tracestate after a space; absent: it is not traced. */
  readonly trace?: string;
  /** Milliseconds since the epoch, kept through every return to the queue. */
  readonly enqueuedAt: number;
  readonly expiresAt: number;
  /** Fingerprint of the request: an idempotency key must not identify two different ones. */
  readonly fingerprint: string;
}

/** Where the players of an assigned ticket connect. Written once per match, never changed. */
export interface Assignment {
  readonly matchId: string;
  readonly sessionId: string;
  readonly serverId: string;
  readonly region: string;
  readonly host: string;
  readonly port: number;
  /** Index of the ticket's team, from 0. */
  readonly team: number;
}

/** The state of a ticket's match, as far as the ticket knows. */
export type TicketMatchState = 'formed' | 'placed' | 'rated' | 'abandoned' | 'void';

/** One event of a ticket. `seq` counts from 1 without gaps: it is the id that a client resumes from. */
export interface TicketEvent {
  readonly ticketId: string;
  readonly seq: number;
  readonly at: number;
  readonly state: TicketState;
  /** What happened and why, as text for the player. */
  readonly reason: string;
  /** The messages of the reason; absent when the previous release wrote it. */
  readonly messages?: readonly Message[];
  readonly matchId?: string;
  readonly matchState?: TicketMatchState;
  readonly assignment?: Assignment;
  /** The deadline of its ready check; absent without an open one. */
  readonly acceptBy?: number;
}

/** A ticket with its current state. */
export interface TicketRecord extends Ticket {
  readonly state: TicketState;
  readonly seq: number;
  readonly reason: string;
  /** The messages of the reason; absent when the previous release wrote it. */
  readonly messages?: readonly Message[];
  /** When `state` was entered, milliseconds since the epoch. */
  readonly at: number;
  readonly matchId?: string;
  readonly matchState?: TicketMatchState;
  readonly assignment?: Assignment;
  readonly acceptBy?: number;
  /** Its players who accepted its match; absent when nobody did. */
  readonly accepted?: readonly string[];
  /** True once the ticket is final. */
  readonly closed: boolean;
}

/** A ticket's skill for matching: the mean of its members' means. */
export function skillOf(ticket: Pick<Ticket, 'players'>): number {
  return ticket.players.reduce((sum, player) => sum + player.mu, 0) / ticket.players.length;
}

const endedStates: readonly TicketState[] = ['cancelled', 'expired', 'failed'];
const endedMatches: readonly (TicketMatchState | undefined)[] = ['rated', 'abandoned', 'void'];

/** Whether an event is a ticket's last. */
export function isLast(event: Pick<TicketEvent, 'state' | 'matchState'>): boolean {
  return endedStates.includes(event.state) || endedMatches.includes(event.matchState);
}
