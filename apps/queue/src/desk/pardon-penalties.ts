import { message, type Clock } from '@muster/domain';
import type { FollowRules } from '../rules/follow-rules.js';
import type { Queues } from '../rules/queues.js';
import type { Penalties } from '../standing/penalties.js';
import type { PenaltyPosition, PenaltyRange, PostgresPardon } from './pardon.store.js';

const atOnce = 500;

/** Forgives penalties in bulk: an outage must not punish. */
export class PardonPenalties {
  constructor(
    private readonly store: Pick<PostgresPardon, 'lift'>,
    private readonly penalties: Pick<Penalties, 'settle'>,
    private readonly queues: Pick<Queues, 'named'>,
    private readonly follow: Pick<FollowRules, 'withNewest'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Lifts the penalties of a range, page by page; those of failed ready checks that are not written yet are written first. Those that
   * were lifted or forgiven before are left alone, so it may be repeated, also when it was interrupted.
   *
   * @returns how many were lifted @throws QueueNotFound
   */
  async run(range: PenaltyRange, detail: string): Promise<number> {
    const { queue } = range;
    if (queue !== null) await this.follow.withNewest(queue, () => this.queues.named(queue));
    while (await this.penalties.settle());
    const lift = { at: this.clock.now(), why: [message('penalty.forgiven', { detail })] };
    let lifted = 0;
    let after: PenaltyPosition | null = null;
    do {
      const page: Awaited<ReturnType<PostgresPardon['lift']>> = await this.store.lift(
        range,
        lift,
        after,
        atOnce,
      );
      lifted += page.lifted;
      after = page.next;
    } while (after);
    return lifted;
  }
}
