import {
  RulesChanged,
  RulesInvalid,
  UnknownPool,
  type Clock,
  type RulesChange,
  type RulesVersion,
} from '@muster/domain';
import type { RatingClient } from '../services/rating.client.js';
import type { FollowRules } from './follow-rules.js';
import type { Queues } from './queues.js';
import type { PostgresRulesStore } from './rules.store.js';

/** Puts rules in force. They apply here when the call returns, and in every replica a moment later. */
export class PutRules {
  constructor(
    private readonly queues: Queues,
    private readonly follow: FollowRules,
    private readonly store: Pick<PostgresRulesStore, 'change'>,
    private readonly ratings: Pick<RatingClient, 'ratingsOf'>,
    private readonly clock: Clock,
  ) {}

  /**
   * @param queue the queue, which the rules must name as well
   * @throws RulesInvalid when they name another queue, or an unknown pool
   * @throws RulesChanged when another version came first
   */
  async run(queue: string, change: RulesChange): Promise<RulesVersion & { readonly changed: boolean }> {
    const { name, pool } = change.rules;
    if (name !== queue)
      throw invalid(
        'rules.name',
        `these are the rules of "${name}"; put them to that queue, or name "${queue}"`,
      );
    await this.checkPool(queue, pool);
    const result = await this.store.change(change, this.clock.now());
    await this.follow.refresh();
    if (result.outcome === 'stale') throw stale(queue, change.expectedVersion ?? 0, result.newest);
    return { ...result.now, changed: result.outcome === 'changed' };
  }

  /** A pool that the queue uses already is not checked: rules can change while ratings cannot be read. */
  private async checkPool(queue: string, pool: string): Promise<void> {
    if (this.queues.newest.some((each) => each.queue === queue && each.rules.pool === pool)) return;
    try {
      await this.ratings.ratingsOf(pool, ['rules-check']);
    } catch (error) {
      if (!(error instanceof UnknownPool)) throw error;
      throw invalid(
        'rules.pool',
        `there is no rating pool "${pool}"; name one that there is, or make it first (POST /v1/pools)`,
      );
    }
  }
}

function invalid(path: string, message: string): RulesInvalid {
  return new RulesInvalid(`\`${path}\`: ${message}.`, { errors: [{ path, message }] });
}

function stale(queue: string, expectedVersion: number, version: number): RulesChanged {
  const facts = { queue, version, expectedVersion };
  if (version === 0)
    return new RulesChanged(`There is no queue "${queue}"; expect version 0 to make it.`, facts);
  if (expectedVersion === 0)
    return new RulesChanged(`There is a queue "${queue}" already, at version ${version}.`, facts);
  return new RulesChanged(
    `The rules of "${queue}" are at version ${version}, not ${expectedVersion}: look at what changed, and put yours in force again if you still want to.`,
    facts,
  );
}
