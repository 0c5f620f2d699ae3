import { issuesOf, type MatchPrediction, type PredictMatch } from '@muster/contracts';
import { PlayerTwice, Unsolvable, type LedgerStore } from '@muster/domain';
import { opened } from '../pools/open-pool.js';
import { stateOf, unrated } from '../ledger/rater.js';

/** Predicts a match under a pool's rules and calibration. */
export class Predict {
  constructor(private readonly ledger: Pick<LedgerStore, 'ratings'>) {}

  /** @throws UnknownPool, PlayerTwice, Unsolvable */
  async run(poolName: string, { teams, sides, map, venue, parties }: PredictMatch): Promise<MatchPrediction> {
    const ids = teams.flat();
    const twice = ids.find((id, i) => ids.indexOf(id) !== i);
    if (twice !== undefined)
      throw new PlayerTwice(`${twice} is in the match twice; name every player once.`, { playerId: twice });
    const [misfit] = issuesOf({ teams, sides, parties });
    if (misfit) throw new Unsolvable(`${misfit.path.join('.')}: ${misfit.message}.`);
    const { pool, ratings } = await this.ledger.ratings(poolName, ids);
    const { model } = opened(pool);
    const { chances, draw } = model.predict(
      {
        teams: teams.map((team) => team.map((id) => stateOf(model, ratings.get(id) ?? unrated))),
        situation: { sides, map, venue, parties },
      },
      pool.calibration,
    );
    return { chances: [...chances], draw, version: pool.version };
  }
}
