import { issuesOf, type MatchPrediction, type PredictMatch } from '@muster/contracts';
import { own, PlayerTwice, Unsolvable, type Clock } from '@muster/domain';
import { opened } from '../core/open-pool.js';
import { afterTime, currentOf, unrated } from '../core/current.js';
import type { PostgresRatings } from '../core/ratings.store.js';

/** A prediction, and whether the pool has a rule for teams with fewer players. */
interface PoolsPrediction {
  readonly prediction: MatchPrediction;
  readonly isShortHanded: boolean;
}

/** Predicts a match under a pool's rules and calibration. */
export class Predict {
  constructor(
    private readonly ratings: Pick<PostgresRatings, 'of'>,
    private readonly clock: Clock,
  ) {}

  /** @throws UnknownPool, PlayerTwice, Unsolvable */
  async run(
    poolName: string,
    { teams, sides, map, venue, parties, roles }: PredictMatch,
  ): Promise<PoolsPrediction> {
    const ids = teams.flat();
    const twice = ids.find((id, i) => ids.indexOf(id) !== i);
    if (twice !== undefined)
      throw new PlayerTwice(`${twice} is in the match twice; name every player once.`, { playerId: twice });
    const [misfit] = issuesOf({ teams, sides, parties });
    if (misfit) throw new Unsolvable(`${misfit.path.join('.')}: ${misfit.message}.`);
    const { pool, ratings } = await this.ratings.of(poolName, ids);
    const open = opened(pool);
    const now = this.clock.now();
    const current = teams.map((team) =>
      team.map((id) => currentOf(open, pool.seasons, ratings.get(id) ?? unrated)),
    );
    const { chances, draw } = open.model.predict(
      {
        teams: current.map((team) => team.map(({ state, since }) => afterTime(open, state, since, now))),
        situation: { sides, map, venue, parties },
        facts: roles && teams.map((team) => team.map((id) => ({ role: own(roles, id) }))),
        skills: open.rules.aspects
          ? current.map((team) => team.map(({ aspects }) => aspects ?? []))
          : undefined,
      },
      pool.calibration,
    );
    return {
      prediction: { chances: [...chances], draw, version: pool.version },
      isShortHanded: Boolean(open.rules.shortHanded),
    };
  }
}
