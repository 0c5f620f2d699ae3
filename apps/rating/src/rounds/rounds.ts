import type { RoundAdmin, RoundAdminAnswer, RoundPlayer, RoundUpdate, RoundUpdated } from '@muster/contracts';
import { NotAllowed } from '@muster/domain';
import type { GiveRating } from '../ledger/give-rating.js';
import type { ReadHealth } from '../pools/health.js';
import type { RateReported } from '../ledger/rate-reported.js';
import type { Standings } from '../ledger/standings.js';

/** What a community server that plays round after round asks: ratings in, ratings out. */
export class Rounds {
  constructor(
    private readonly reported: RateReported,
    private readonly standings: Standings,
    private readonly given: GiveRating,
    private readonly health: ReadHealth,
  ) {}

  /**
   * Rates a round. The same round counts once, whoever sends it again.
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

  /** @param isOperator who is none may look, and not touch @throws UnknownPool, NotAllowed, RatingInvalid */
  async admin(asked: RoundAdmin, by: string, isOperator: boolean): Promise<RoundAdminAnswer> {
    const { action, pool } = asked;
    if ((action === 'set' || action === 'reset') && !isOperator)
      throw new NotAllowed(`To ${action} a rating, come with the operator key; the server key may get.`);
    switch (action) {
      case 'get':
        return { players: await this.players(pool, asked.playerIds) };
      case 'set':
        await this.given.set(pool, asked.playerId, { mu: asked.rating, reason: asked.reason }, by, 'rating');
        return { players: await this.players(pool, [asked.playerId]) };
      case 'reset':
        await this.given.reset(pool, asked.playerId, asked.reason, by);
        return { players: await this.players(pool, [asked.playerId]) };
      case 'quality':
        return { quality: await this.health.of(pool, matchesLooked, periods) };
    }
  }

  private async players(pool: string, playerIds: readonly string[]): Promise<RoundPlayer[]> {
    const all = await this.standings.showAll(pool, playerIds);
    return all.map(({ playerId, mu, matches, shadow, stale }) => ({
      playerId,
      rating: mu,
      visible: !shadow.hidden,
      rounds: matches,
      stale,
    }));
  }
}

/** Of the pool's last matches, in so many periods: as `GET /v1/pools/:pool/health` has them unless told. */
const matchesLooked = 10_000;
const periods = 12;
