import { skillOf, type Clock } from '@muster/domain';
import { limitAfter } from '@muster/matchmaking';
import type { RedisTicketList } from '../core/ticket-list.store.js';
import type { RedisTicketStore } from '../core/ticket.store.js';
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

/** Some of the waiting tickets of a queue. */
export interface WaitingPage {
  readonly waiting: readonly WaitingTicket[];
  /** How many wait in all. */
  readonly total: number;
  /** The cursor of the next page; null: this is the last. */
  readonly next: string | null;
}

/** The waiting tickets of a queue in pages, each ticket with an explanation. */
export class ShowWaiting {
  constructor(
    private readonly queues: Queues,
    private readonly follow: Pick<FollowRules, 'withNewest'>,
    private readonly explain: ExplainWaiting,
    private readonly list: Pick<RedisTicketList, 'waiting'>,
    private readonly store: Pick<RedisTicketStore, 'tickets' | 'waitingDepth'>,
    private readonly clock: Clock,
  ) {}

  /**
   * @param limit tickets that expire in the same millisecond come together, so a page may have more
   * @throws QueueNotFound with the known names
   */
  async run(
    queue: string,
    { cursor = '0', limit }: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<WaitingPage> {
    const newest = await this.follow.withNewest(queue, () => this.queues.named(queue));
    const [{ ids, next }, { waiting: total }] = await Promise.all([
      this.list.waiting(queue, cursor, limit),
      this.store.waitingDepth(queue),
    ]);
    const pool = await this.store.tickets([...ids]);
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
    return { waiting: shown.flat(), total, next };
  }
}
