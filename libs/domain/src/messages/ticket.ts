import type { Message } from './message.js';

/** How long something still lasts, rounded up to a whole number of a unit. */
export interface Lasting {
  amount: number;
  unit: 'seconds' | 'minutes' | 'hours' | 'days';
}

/** What a player did, and when they may queue again: `none`, at once. */
export interface CoolDownParams extends Lasting {
  kind: 'declined' | 'no-show' | 'left' | 'none';
  /** Which offence of its kind it was lately, from 1. */
  nth: number;
}

/** What becomes of a ticket, from the queue to its end. */
export interface TicketMessages {
  /** A text that has no code. */
  verbatim: { text: string };

  'ticket.queued': Record<never, never>;
  /** `matches`: of each newcomer, `calibration.match`. */
  'ticket.queued-calibrating': { matches: readonly Message[] };
  'ticket.calibrating': { matches: readonly Message[] };
  /** Part of a sentence. `playerId`: whose, in a party; null for a player alone. */
  'calibration.match': { match: number; of: number; party: boolean; playerId: string };
  'ticket.left-queue': Record<never, never>;
  'ticket.removed-by-operator': Record<never, never>;
  'ticket.expired': Record<never, never>;
  'ticket.back-in-queue': Record<never, never>;
  'ticket.not-all-stayed': Record<never, never>;
  'ticket.left-match': Record<never, never>;
  'ticket.time-over': Record<never, never>;

  'party.ended': { leader: string };
  'party.left': { playerId: string };
  'party.removed': { leader: string; playerId: string };

  'ready-check.match': { seconds: number };
  'ready-check.seat': { seconds: number };
  'ready-check.complete': Record<never, never>;
  /** `outcome`: what comes of it, `penalty.outcome`. */
  'ready-check.you-declined': { outcome: Message };
  'ready-check.member-declined': { playerId: string; outcome: Message };
  'ready-check.other-declined': Record<never, never>;
  'ready-check.you-were-silent': { outcome: Message };
  'ready-check.members-were-silent': { players: readonly string[]; outcomes: readonly Message[] };
  'ready-check.other-silent': Record<never, never>;

  /** Part of a sentence. `you`: the player is spoken to. */
  'penalty.outcome': CoolDownParams & { you: boolean; playerId: string };
  'penalty.cool-down': CoolDownParams & { playerId: string };
}
