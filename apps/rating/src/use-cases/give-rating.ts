import type { SetRating } from '@muster/contracts';
import type { Clock, GivenEvent, Ids, LedgerStore } from '@muster/domain';
import { opened } from './open-pool.js';
import { poolRater } from './rater.js';

/** Ratings that somebody gives: an operator sets or resets one, a calibration ends with one. Each is an event of the ledger. */
export class GiveRating {
  constructor(
    private readonly ledger: LedgerStore,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** @throws UnknownPool, Unsolvable when the model cannot hold such a rating */
  async set(
    pool: string,
    playerId: string,
    { mu, sigma, reason, eventId }: SetRating,
    by: string,
  ): Promise<void> {
    await this.give(pool, 'set', playerId, {
      mu,
      sigma,
      reason,
      by,
      eventId: eventId ?? this.ids.make('set'),
    });
  }

  /** @returns false when this event had been counted before */
  seed(
    pool: string,
    playerId: string,
    mu: number,
    sigma: number,
    eventId: string,
    reason: string,
  ): Promise<boolean> {
    return this.give(pool, 'seed', playerId, { mu, sigma, reason, by: 'calibration', eventId });
  }

  async reset(pool: string, playerId: string, reason: string, by: string, eventId?: string): Promise<void> {
    const at = this.clock.now();
    await this.ledger.pool(pool);
    await this.ledger.record(
      pool,
      { kind: 'reset', eventId: eventId ?? this.ids.make('rst'), at, playerId, by, reason },
      poolRater,
      at,
    );
  }

  private async give(
    name: string,
    kind: 'set' | 'seed',
    playerId: string,
    given: { mu: number; sigma: number | undefined; reason: string; by: string; eventId: string },
  ): Promise<boolean> {
    const pool = await this.ledger.pool(name);
    const { start, model } = opened(pool);
    const { mu, sigma = start.sigma, reason, by, eventId } = given;
    // Refused here, before anything is locked, if the model cannot hold it.
    model.model.seed({ mu, sigma });
    const event: GivenEvent = {
      kind,
      eventId,
      at: this.clock.now(),
      playerId,
      mu,
      sigma,
      model: pool.rules.model,
      level: (mu - start.mu) / start.sigma,
      doubt: sigma / start.sigma,
      by,
      reason,
    };
    return this.ledger.record(name, event, poolRater, event.at);
  }
}
