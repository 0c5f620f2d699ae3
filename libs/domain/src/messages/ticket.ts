import type { Message } from './message.js';

/** A remaining time, rounded up to a whole number of a unit. */
export interface Lasting {
  amount: number;
  unit: 'seconds' | 'minutes' | 'hours' | 'days';
}

/** A player's offence, and when they may queue again: `none`, at once. */
export interface CoolDownParams extends Lasting {
  kind: 'declined' | 'no-show' | 'left' | 'none';
  /** Ordinal of the recent offences of its kind, from 1. */
  nth: number;
}

/** The states of a ticket, from the queue to its end. */
export interface TicketMessages {
  /** A text without a code. */
  verbatim: { text: string };

  'ticket.queued': Record<never, never>;
  /** `matches`: of each newcomer, `calibration.match`. */
  'ticket.queued-calibrating': { matches: readonly Message[] };
  'ticket.queued-boosted': { division: string };
  'ticket.calibrating': { matches: readonly Message[] };
  /** Part of a sentence. `playerId`: whose, in a party; null for a single player. */
  'calibration.match': { match: number; of: number; party: boolean; playerId: string };
  'ticket.left-queue': Record<never, never>;
  'ticket.removed-by-operator': Record<never, never>;
  'ticket.expired': Record<never, never>;
  'ticket.back-in-queue': Record<never, never>;
  'ticket.not-all-stayed': Record<never, never>;
  'ticket.without-you': Record<never, never>;
  'ticket.left-match': Record<never, never>;
  'ticket.time-over': Record<never, never>;
  'ticket.restored': Record<never, never>;
  'ticket.elsewhere': Record<never, never>;
  'ticket.match-over': Record<never, never>;
  'ticket.match-lost': Record<never, never>;

  'party.ended': { leader: string };
  'party.left': { playerId: string };
  'party.removed': { leader: string; playerId: string };

  'ready-check.match': { seconds: number };
  'ready-check.seat': { seconds: number };
  'ready-check.complete': Record<never, never>;
  /** `outcome`: the consequence, `penalty.outcome`. */
  'ready-check.you-declined': { outcome: Message };
  'ready-check.member-declined': { playerId: string; outcome: Message };
  'ready-check.other-declined': Record<never, never>;
  'ready-check.you-were-silent': { outcome: Message };
  'ready-check.members-were-silent': { players: readonly string[]; outcomes: readonly Message[] };
  'ready-check.most-were-silent': { silent: number; asked: number };
  'ready-check.other-silent': Record<never, never>;
  'ready-check.forgotten': Record<never, never>;

  /** Part of a sentence. `you`: the player is addressed directly. */
  'penalty.outcome': CoolDownParams & { you: boolean; playerId: string };
  'penalty.cool-down': CoolDownParams & { playerId: string };
  'penalty.mass': { blamed: number; players: number };
  /** `scope`: whose matches; `name`: of the region; `minutes`: in which they were over. */
  'penalty.outage': {
    scope: 'server' | 'region' | 'all';
    name: string;
    named: number;
    matches: number;
    blamed: number;
    parties: number;
    minutes: number;
  };
  'penalty.server-lost': Record<never, never>;
  'penalty.match-void': Record<never, never>;
  'penalty.match-ended': Record<never, never>;
  'penalty.request-withdrawn': Record<never, never>;
}
