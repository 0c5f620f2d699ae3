import type { Message } from './messages/message.js';
import type { SkillBelief } from './rating.js';

/**
 * `waiting → proposed → (accepting) → placing → assigned`, or an end: `cancelled`, `expired`, `failed`. `accepting` is for
 * queues with a ready check. A proposal that falls apart puts innocent tickets back to `waiting` with their first enqueue time,
 * and so does a match that its server calls off to have it made anew.
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

/** States in which a ticket holds its players: none of them can queue again. */
export const holdingStates: readonly TicketState[] = [
  'waiting',
  'proposed',
  'accepting',
  'placing',
  'assigned',
];

/** Which of a newcomer's calibration matches comes next, from 1, and how many there are to be. */
export interface CalibrationMatch {
  readonly match: number;
  readonly of: number;
}

/** One member of a ticket, with the rating read when it was enqueued. */
export interface TicketPlayer extends SkillBelief {
  readonly playerId: string;
  /** Present while the player is calibrated: then `mu` is not the rating but the level at which they are tried out. */
  readonly calibration?: CalibrationMatch;
  /** Roles of the queue's rules that the player can play; absent: none of them. */
  readonly canPlay?: readonly string[];
  /** What the player plays on, such as `pc`; absent: it was not said. */
  readonly platform?: string;
}

/** Somebody whom a ticket's players are to be kept away from, or who is to be kept away from them. */
export interface Avoided {
  readonly playerId: string;
  /** Off the same team, or off the same match. */
  readonly scope: 'team' | 'match';
}

/** What a ticket says for its whole life. */
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
  /** The least behaviour score of its players, 0 to 1; absent: nothing is held against them. */
  readonly behaviour?: number;
  /** The party it was made of; absent for a player alone and for parties that came by passes. */
  readonly partyId?: string;
  /** The version of the queue's rules that it was told. */
  readonly rulesVersion?: number;
  /** Milliseconds since the epoch, kept through every return to the queue. */
  readonly enqueuedAt: number;
  readonly expiresAt: number;
  /** Fingerprint of the request, so that an idempotency key cannot stand for two different ones. */
  readonly fingerprint: string;
}

/** Where the players of an assigned ticket go. Written once for a match, never changed. */
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

/** What the match of a ticket has come to, as far as the ticket knows. */
export type TicketMatchState = 'formed' | 'placed' | 'rated' | 'abandoned' | 'void';

/** One entry of a ticket's story. `seq` counts from 1 without gaps: it is the id that a client resumes from. */
export interface TicketEvent {
  readonly ticketId: string;
  readonly seq: number;
  readonly at: number;
  readonly state: TicketState;
  /** In words for the player: what happened and why. */
  readonly reason: string;
  /** The messages that the reason is made of; absent when a release before wrote it. */
  readonly messages?: readonly Message[];
  readonly matchId?: string;
  readonly matchState?: TicketMatchState;
  readonly assignment?: Assignment;
  /** Until when its players are to accept the match; absent when nobody has to, any more. */
  readonly acceptBy?: number;
}

/** A ticket with where it stands now. */
export interface TicketRecord extends Ticket {
  readonly state: TicketState;
  readonly seq: number;
  readonly reason: string;
  /** The messages that the reason is made of; absent when a release before wrote it. */
  readonly messages?: readonly Message[];
  /** When `state` was entered, milliseconds since the epoch. */
  readonly at: number;
  readonly matchId?: string;
  readonly matchState?: TicketMatchState;
  readonly assignment?: Assignment;
  readonly acceptBy?: number;
  /** Those of its players who accepted its match; absent when nobody did. */
  readonly accepted?: readonly string[];
  /** True once nothing can happen to it any more. */
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
