import { MatchNotFound, MatchNotOver, type Clock, type Ids, type VoidResult } from '@muster/domain';
import type { ModelledRebuild, Rebuilds } from '../rebuilds/rebuilds.js';
import type { PostgresMatches } from './matches.store.js';

/** Why a match cannot be declared void. */
export function refusalOf(matchId: string, result: VoidResult): MatchNotFound | MatchNotOver {
  if (result.outcome !== 'not-over') return new MatchNotFound(`There is no match ${matchId}.`, { matchId });
  return new MatchNotOver(
    result.state === 'abandoned'
      ? `The match is abandoned: it has no result, and nobody was rated for it. POST /v1/matches/${matchId}/end with "as": "void" refuses a late result.`
      : `The match is ${result.state}; only a match with a result is declared void. POST /v1/matches/${matchId}/end ends it.`,
    { matchId, state: result.state },
  );
}

/** Removes matches from the ratings. */
export class VoidMatch {
  constructor(
    private readonly matches: Pick<PostgresMatches, 'void'>,
    private readonly rebuilds: Pick<Rebuilds, 'list'>,
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
  ): Promise<{ matchId: string; voided: boolean; rebuild: ModelledRebuild | null }> {
    const result = await this.matches.void(
      matchId,
      { by, reason, penalties, rebuildId: this.ids.make('rbd') },
      this.clock.now(),
    );
    this.afterCommit();
    switch (result.outcome) {
      case 'unknown':
      case 'not-over':
        throw refusalOf(matchId, result);
      case 'dropped':
        return { matchId, voided: true, rebuild: null };
      case 'again':
      case 'void': {
        const rebuild = result.pool === null ? null : await this.rebuildOf(result.pool, matchId);
        return { matchId, voided: result.outcome === 'void', rebuild };
      }
    }
  }

  /** The rebuild that the match asked for; the newest, which leaves it out too, where another one was running. */
  private async rebuildOf(pool: string, matchId: string): Promise<ModelledRebuild | null> {
    const rebuilds = await this.rebuilds.list(pool);
    const isOwn = ({ messages = [] }: ModelledRebuild): boolean =>
      messages.some(({ code, params }) => code === 'rebuild.match-void' && params.matchId === matchId);
    return rebuilds.find(isOwn) ?? rebuilds[0] ?? null;
  }
}
