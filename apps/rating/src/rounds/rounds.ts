import type { RoundAdmin, RoundAdminAnswer, RoundPlayer, RoundUpdate, RoundUpdated } from '@muster/contracts';
import { NotAllowed } from '@muster/domain';
import type { RatingOverrides } from '../ratings/rating-overrides.js';
import type { ReadHealth } from '../pools/health.js';
import type { RateReported } from '../ledger/rate-reported.js';
import type { ReadRatings } from '../ratings/read-ratings.js';

/** The API for community servers that play successive rounds: rate a round, read ratings. */
export class Rounds {
  constructor(
    private readonly reported: RateReported,
    private readonly ratings: ReadRatings,
    private readonly overrides: RatingOverrides,
    private readonly health: ReadHealth,
  ) {}

  /**
   * Rates a round. Repeats of a round count once.
   *
   * @throws UnknownPool, ResultContradicts, MatchUnratable
   */
  async update(
    { pool, roundId, server, map, teams, winner, ...more }: RoundUpdate,
    by: string,
  ): Promise<RoundUpdated> {
    const rated = await this.reported.run(
      {
        eventId: roundId,
        pool,
        teams,
        ranks: teams.map((_, t) => (winner === null || winner === t ? 1 : 2)),
        ...(map === undefined ? {} : { map }),
        ...(server === undefined ? {} : { venue: server }),
        ...more,
      },
      by,
    );
    return { ...rated, players: await this.players(pool, teams.flat()) };
  }

  /** @param isOperator other callers may only read @throws UnknownPool, NotAllowed, RatingInvalid */
  async admin(request: RoundAdmin, by: string, isOperator: boolean): Promise<RoundAdminAnswer> {
    const { action, pool } = request;
    if ((action === 'set' || action === 'reset') && !isOperator)
      throw new NotAllowed(`To ${action} a rating, send the operator key; the server key may only get.`);
    switch (action) {
      case 'get':
        return { players: await this.players(pool, request.playerIds) };
      case 'set':
        await this.overrides.set(
          pool,
          request.playerId,
          { mu: request.rating, reason: request.reason },
          by,
          'rating',
        );
        return { players: await this.players(pool, [request.playerId]) };
      case 'reset':
        await this.overrides.reset(pool, request.playerId, request.reason, by);
        return { players: await this.players(pool, [request.playerId]) };
      case 'quality':
        return { quality: await this.health.of(pool, healthMatches, healthPeriods) };
    }
  }

  private async players(pool: string, playerIds: readonly string[]): Promise<RoundPlayer[]> {
    const all = await this.ratings.showAll(pool, playerIds);
    return all.map(({ playerId, mu, matches, shadow, stale }) => ({
      playerId,
      rating: mu,
      visible: !shadow.hidden,
      rounds: matches,
      stale,
    }));
  }
}

/** The defaults of `GET /v1/pools/:pool/health`. */
const healthMatches = 10_000;
const healthPeriods = 12;
