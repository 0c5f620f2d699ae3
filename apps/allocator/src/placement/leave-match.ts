import type { Clock, LeaveMatchResult, PlacementStore } from '@muster/domain';

/** Players leave a match that has no server. */
export class LeaveMatch {
  constructor(
    private readonly store: Pick<PlacementStore, 'leaveUnplaced'>,
    private readonly clock: Clock,
    /** Sends the jobs of a commit at once instead of at the relay's next turn. */
    private readonly afterCommit: () => void,
  ) {}

  async run(matchId: string, ticketId: string): Promise<LeaveMatchResult> {
    const result = await this.store.leaveUnplaced(matchId, ticketId, this.clock.now());
    if (result.outcome === 'left') this.afterCommit();
    return result;
  }
}
