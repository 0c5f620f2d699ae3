import {
  MatchNotFound,
  MatchNotOver,
  type Clock,
  type Ids,
  type LedgerStore,
  type Rebuild,
} from '@muster/domain';
import type { Rebuilds } from '../rebuilds/rebuilds.js';

/** Removes matches from the ratings. */
export class VoidMatch {
  constructor(
    private readonly ledger: LedgerStore,
    private readonly rebuilds: Rebuilds,
    private readonly clock: Clock,
    private readonly ids: Ids,
    /** Relays the jobs of a commit immediately. */
    private readonly afterCommit: () => void,
  ) {}

  /**
   * Voids a match. A rated match has affected all players who later met its players, so the pool is rebuilt without it;
   * an unrated match is dropped. Repeating the call is safe.
   *
   * @throws MatchNotFound, MatchNotOver
   */
  async run(
    matchId: string,
    by: string,
    reason: string,
    penalties: 'keep' | 'drop',
  ): Promise<{ matchId: string; voided: boolean; rebuild: Rebuild | null }> {
    const result = await this.ledger.voidMatch(
      matchId,
      { by, reason, penalties, rebuildId: this.ids.make('rbd') },
      this.clock.now(),
    );
    this.afterCommit();
    switch (result.outcome) {
      case 'unknown':
        throw new MatchNotFound(`There is no match ${matchId}.`, { matchId });
      case 'not-over':
        throw new MatchNotOver(
          `The match is ${result.state}; only a match that is over can be declared void.`,
          {
            matchId,
            state: result.state,
          },
        );
      case 'dropped':
        return { matchId, voided: true, rebuild: null };
      case 'again':
      case 'void': {
        const [rebuild = null] = await this.rebuilds.list(result.pool);
        return { matchId, voided: result.outcome === 'void', rebuild };
      }
    }
  }
}
