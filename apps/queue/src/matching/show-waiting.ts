import { skillOf, type Clock, type TicketStore } from '@muster/domain';
import { limitAfter } from '@muster/matchmaking';
import type { ExplainWaiting, WaitingView } from './explain-waiting.js';
import type { FollowRules } from '../rules/follow-rules.js';
import type { Queues } from '../rules/queues.js';

export interface WaitingTicket extends WaitingView {
  readonly ticketId: string;
  readonly players: string[];
  readonly build: string;
  readonly platforms: string[];
  readonly skill: number;
  readonly waitedMs: number;
  /** null once there is no limit */
  readonly window: number | null;
}

/** Most tickets shown: those that have waited longest. */
const mostShown = 200;

/** The waiting tickets of a queue, each with an explanation. */
export class ShowWaiting {
  constructor(
    private readonly queues: Queues,
    private readonly follow: Pick<FollowRules, 'withNewest'>,
    private readonly explain: ExplainWaiting,
    private readonly store: TicketStore,
    private readonly clock: Clock,
  ) {}

  /** @throws QueueNotFound with the known names */
  async run(queue: string): Promise<WaitingTicket[]> {
    const newest = await this.follow.withNewest(queue, () => this.queues.named(queue));
    const pool = await this.store.tickets(await this.store.waiting(queue, mostShown));
    const now = this.clock.now();
    const shown = await Promise.all(
      pool.map(async (ticket): Promise<WaitingTicket[]> => {
        const why = await this.explain.of(ticket);
        if (!why) return [];
        const version = this.queues.effectiveVersion(queue, ticket.rulesVersion);
        const rules = this.queues.version(queue, version) ?? newest;
        const waitedMs = Math.max(0, now - ticket.enqueuedAt);
        const window = limitAfter(rules.skillWindow, waitedMs);
        return [
          {
            ticketId: ticket.ticketId,
            players: ticket.players.map((player) => player.playerId),
            build: ticket.build,
            platforms: [...new Set(ticket.players.flatMap(({ platform = [] }) => platform))].toSorted(),
            skill: skillOf(ticket),
            waitedMs,
            window: Number.isFinite(window) ? window : null,
            ...why,
          },
        ];
      }),
    );
    return shown.flat();
  }
}
