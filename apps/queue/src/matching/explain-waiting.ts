import { message, type Clock, type Message, type TicketPlayer } from '@muster/domain';
import { calibrationMatches, type BindingRule } from '@muster/matchmaking';
import type { FollowRules } from '../rules/follow-rules.js';
import type { KnownBuilds } from '../services/known-builds.js';
import type { QueuePools } from './queue-pool.js';

/** Why a ticket waits, and its estimated waiting time. */
export interface WaitingView {
  readonly why: readonly Message[];
  readonly rule: BindingRule;
  /** When the binding rule relaxes; null when time alone does not help. */
  readonly widensInSeconds: number | null;
  /** null when too few similar tickets were matched recently. */
  readonly estimate: {
    readonly fromSeconds: number;
    readonly toSeconds: number | null;
    readonly basedOn: number;
  } | null;
}

/** Explains why tickets wait, from this process's copy of the pool. */
export class ExplainWaiting {
  constructor(
    private readonly pools: QueuePools,
    private readonly follow: Pick<FollowRules, 'withNewest'>,
    private readonly clock: Clock,
    private readonly builds: Pick<KnownBuilds, 'newerThan' | 'isObsolete'>,
  ) {}

  /** @returns undefined when the ticket no longer waits */
  async of(ticket: {
    readonly ticketId: string;
    readonly queue: string;
    readonly build: string;
    readonly players: readonly TicketPlayer[];
  }): Promise<WaitingView | undefined> {
    const pool = this.pools.of(ticket.queue);
    // Takes in the changes since the last tick. The queue may be new to this process.
    await this.follow.withNewest(ticket.queue, () => pool.follow());
    const found = pool.explain(ticket.ticketId, this.clock.now());
    if (!found) return undefined;
    const { why, estimate } = found;
    const newer = await this.builds.newerThan(ticket.build);
    const matches = calibrationMatches(ticket.players);
    return {
      why: [
        ...(newer.length > 0 ? [message('waiting.build-outdated', { build: ticket.build, newer })] : []),
        // No match is being formed of an obsolete build, whatever its rules allow.
        ...(why.rule === 'none' && newer.length > 0 && (await this.builds.isObsolete(ticket.build))
          ? []
          : why.messages),
        ...(matches.length === 0 ? [] : [message('ticket.calibrating', { matches })]),
      ],
      rule: why.rule,
      widensInSeconds: inSeconds(why.widensInMs),
      estimate: estimate && {
        fromSeconds: Math.round(estimate.fromMs / 1000),
        toSeconds: inSeconds(estimate.toMs),
        basedOn: estimate.basedOn,
      },
    };
  }
}

function inSeconds(ms: number | null): number | null {
  return ms === null ? null : Math.ceil(ms / 1000);
}
