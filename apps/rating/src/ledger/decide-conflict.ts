import type { ConflictDecision } from '@muster/contracts';
import { ConflictNotFound, ResultInvalid, type Clock, type Ids } from '@muster/domain';
import type { DecidedConflict, PostgresConflicts } from './conflicts.store.js';
import { refusalOf } from './void-match.js';

/** An operator decides between results that contradict each other. */
export class DecideConflict {
  constructor(
    private readonly store: Pick<PostgresConflicts, 'decide'>,
    private readonly clock: Clock,
    private readonly ids: Ids,
    /** Relays the jobs of a commit immediately. */
    private readonly afterCommit: () => void,
  ) {}

  /**
   * @returns the decision in force, and the match that counts by another report
   * @throws ConflictNotFound; MatchNotOver when there is nothing to void; ResultInvalid for a report that cannot count
   */
  async run(said: DecidedConflict): Promise<{ decision: ConflictDecision; countsAs: string | null }> {
    const { matchId } = said;
    const countsAs = this.ids.derive('mat', JSON.stringify(['other result', matchId]));
    const rebuildIds = [this.ids.make('rbd'), this.ids.make('rbd')] as const;
    const decided = await this.store.decide(said, { countsAs, rebuildIds }, this.clock.now());
    this.afterCommit();
    switch (decided.outcome) {
      case 'unknown':
        throw new ConflictNotFound(`No results contradict each other in match ${matchId}.`, { matchId });
      case 'which':
        throw new ResultInvalid(
          `Name the report that is to count by \`conflictId\`: ${decided.conflictIds.join(', ')}.`,
          { conflictIds: [...decided.conflictIds] },
        );
      case 'refused':
        throw refusalOf(matchId, decided.result);
      case 'decided': {
        const { decision } = decided;
        return { decision, countsAs: decision === 'other' ? countsAs : null };
      }
    }
  }
}
