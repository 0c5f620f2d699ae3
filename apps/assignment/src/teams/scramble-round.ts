import type { RoundScramble, RoundSplits } from '@muster/contracts';
import type { RatingClient } from '../ratings/rating.client.js';
import type { SolverThreads } from './solver-threads.client.js';

/** The best teams of every size for the players on a community server, by the ratings of its pool. */
export class ScrambleRound {
  constructor(
    private readonly pools: Pick<RatingClient, 'read'>,
    private readonly teams: Pick<SolverThreads, 'splits'>,
  ) {}

  /** @throws RatingUnavailable, UnknownPool, Unsolvable, TooBusy */
  async run({ pool, players, bench, deadlineMs }: RoundScramble): Promise<RoundSplits> {
    const read = await this.pools.read(
      pool,
      players.map(({ playerId }) => playerId),
    );
    const ratings = read.map(({ playerId, mu }) => ({ playerId, rating: mu }));
    const waited = new Map(players.map((player) => [player.playerId, player.waited]));
    const splits = await this.teams.splits({
      players: ratings.map(({ playerId, rating }) => {
        const since = waited.get(playerId);
        return { id: playerId, weight: rating, ...(since === undefined ? {} : { waited: since }) };
      }),
      bench,
      deadlineMs,
    });
    return { ...splits, players: ratings };
  }
}
