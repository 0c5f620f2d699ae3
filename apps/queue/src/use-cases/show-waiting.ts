import { skillOf, type Clock, type TicketStore } from '@muster/domain';
import { explainWaiting, limitAfter } from '@muster/matchmaking';
import type { Queues } from './queues.js';

export interface WaitingTicketView {
  readonly ticketId: string;
  readonly players: string[];
  readonly skill: number;
  readonly waitedMs: number;
  /** null once there is no limit any more */
  readonly window: number | null;
  readonly why: string;
}

/** Who waits in a queue, and why. */
export class ShowWaiting {
  constructor(
    private readonly queues: Queues,
    private readonly store: TicketStore,
    private readonly clock: Clock,
  ) {}

  async run(queue: string): Promise<WaitingTicketView[]> {
    const rules = this.queues.named(queue);
    const pool = await this.store.tickets(await this.store.waiting(queue, 1_000));
    const now = this.clock.now();
    return pool.map((ticket) => {
      const waitedMs = Math.max(0, now - ticket.enqueuedAt);
      const window = limitAfter(rules.skillWindow, waitedMs);
      return {
        ticketId: ticket.ticketId,
        players: ticket.players.map((player) => player.playerId),
        skill: skillOf(ticket),
        waitedMs,
        window: Number.isFinite(window) ? window : null,
        why: explainWaiting(ticket, pool, rules, now),
      };
    });
  }
}
