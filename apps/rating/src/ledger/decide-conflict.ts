import type { ConflictDecision } from '@muster/contracts';
import { ConflictNotFound, oneOf, type Clock } from '@muster/domain';
import type { DecidedConflict, PostgresConflicts } from './conflicts.store.js';
import type { VoidMatch } from './void-match.js';

/** What may be decided: the counted result stays, or the match counts for nothing. */
const decisions: readonly ConflictDecision[] = ['kept', 'void'];

/** An operator decides between results that contradict each other. */
export class DecideConflict {
  constructor(
    private readonly store: Pick<PostgresConflicts, 'known' | 'decide' | 'decision'>,
    private readonly voiding: Pick<VoidMatch, 'run'>,
    private readonly clock: Clock,
  ) {}

  /**
   * The match is voided before the decision is noted: killed in between, the conflict is still listed as open, and a repeat goes on.
   *
   * @returns the decision in force: a match that was voided stays void
   * @throws ConflictNotFound; MatchNotOver when there is nothing to void
   */
  async run(decided: DecidedConflict): Promise<ConflictDecision> {
    const { matchId, decision, by, why } = decided;
    if (!(await this.store.known(matchId)))
      throw new ConflictNotFound(`No results contradict each other in match ${matchId}.`, { matchId });
    if (decision === 'void') await this.voiding.run(matchId, by, why, 'drop');
    await this.store.decide(decided, this.clock.now());
    return oneOf(decisions, (await this.store.decision(matchId)) ?? decision);
  }
}
