import type { SetRating } from '@muster/contracts';
import { RatingInvalid, type Clock, type Ids, type Explanation, withMessages } from '@muster/domain';
import { rangeFlaw } from '@muster/skill';
import { givenEvent, opened } from '../core/open-pool.js';
import type { PostgresRatings } from '../core/ratings.store.js';
import type { SeedNewcomer } from '../newcomers/seed-newcomer.js';

/**
 * Sets ratings: an operator sets or resets one, or a calibration search ends with one. Each is an event of the ledger.
 */
export class RatingOverrides {
  constructor(
    private readonly ratings: Pick<PostgresRatings, 'pool' | 'record'>,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly newcomers: Pick<SeedNewcomer, 'combine'>,
  ) {}

  /**
   * Without a sigma the player keeps the present uncertainty; a new player keeps the start uncertainty.
   *
   * @param field the caller's name of the mean, for the error
   * @throws UnknownPool, RatingInvalid if the pool's model cannot represent the rating
   */
  async set(
    pool: string,
    playerId: string,
    { mu, sigma, reason, eventId }: SetRating,
    by: string,
    field = 'mu',
  ): Promise<void> {
    const given = { mu, sigma, reason, by, eventId: eventId ?? this.ids.make('set') };
    await this.give(pool, 'set', playerId, given, field);
  }

  /**
   * Seeds a newcomer with what the results of a calibration say, and the stats of its matches where the pool seeds by them.
   *
   * @returns false for a repeat of an event that was already counted
   */
  async seed(
    pool: string,
    playerId: string,
    mu: number,
    sigma: number,
    eventId: string,
    reason: Explanation,
  ): Promise<boolean> {
    const byResults = { mu, sigma };
    const measured = await this.newcomers.combine(await this.ratings.pool(pool), playerId, byResults);
    return this.give(pool, 'seed', playerId, {
      ...(measured?.belief ?? byResults),
      reason: measured ? withMessages(reason, measured.message) : reason,
      by: 'calibration',
      eventId,
    });
  }

  async reset(pool: string, playerId: string, reason: string, by: string, eventId?: string): Promise<void> {
    const at = this.clock.now();
    await this.ratings.pool(pool);
    await this.ratings.record(
      pool,
      { kind: 'reset', eventId: eventId ?? this.ids.make('rst'), at, playerId, by, reason },
      at,
    );
  }

  private async give(
    name: string,
    kind: 'set' | 'seed',
    playerId: string,
    given: { mu: number; sigma: number | undefined; reason: Explanation; by: string; eventId: string },
    field = 'mu',
  ): Promise<boolean> {
    const pool = await this.ratings.pool(name);
    const { model } = opened(pool);
    const { sigma, ...rest } = given;
    // Validated here, before anything is locked. A rebuild accepts what earlier versions accepted.
    const beyond = rangeFlaw(given, model.model.range, pool.rules.model);
    if (beyond) {
      const path = beyond.what === 'mu' ? field : 'sigma';
      const { message } = beyond;
      throw new RatingInvalid(`${path} ${message}.`, { pool: name, errors: [{ path, message }] });
    }
    const at = this.clock.now();
    const event = givenEvent(pool, { kind, at, playerId, sigma: sigma ?? null, ...rest });
    return this.ratings.record(name, event, at);
  }
}
