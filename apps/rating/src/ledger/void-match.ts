import {
  MatchNotFound,
  MatchNotOver,
  type Clock,
  type Ids,
  type LedgerStore,
  type Rebuild,
} from '@muster/domain';
import type { Rebuilds } from '../rebuilds/rebuilds.js';

/** Takes matches out of the ratings. */
export class VoidMatch {
  constructor(
    private readonly ledger: LedgerStore,
    private readonly rebuilds: Rebuilds,
    private readonly clock: Clock,
    private readonly ids: Ids,
    /** Sends the jobs of a commit at once instead of at the relay's next turn. */
    private readonly afterCommit: () => void,
  ) {}

  /**
   * A rated match leaves its mark on everybody who met its players since, so the pool is rebuilt without it; one that was not
   * rated yet is dropped. Repeating it is safe.
   *
   * @throws MatchNotFound, MatchNotOver
   */
  async run(
    matchId: string,
    by: string,
    reason: string,
  ): Promise<{ matchId: string; voided: boolean; rebuild: Rebuild | null }> {
    const result = await this.ledger.voidMatch(
      matchId,
      { by, reason, rebuildId: this.ids.make('rbd') },
      this.clock.now(),
    );
    this.afterCommit();
    switch (result.outcome) {
      case 'unknown':
        throw new MatchNotFound(`There is no match ${matchId}.`, { matchId });
      case 'not-over':
        throw new MatchNotOver(`The match is ${result.state}; only one that is over can be declared void.`, {
          matchId,
          state: result.state,
        });
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
