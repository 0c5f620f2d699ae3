import type { Clock, LeaveMatchResult, PlacementStore } from '@muster/domain';

/** Players leave a match that has no server. */
export class LeaveMatch {
  constructor(
    private readonly store: Pick<PlacementStore, 'leaveUnplaced'>,
    private readonly clock: Clock,
    /** Sends what a commit promised at once, not at the relay's next look. */
    private readonly afterCommit: () => void,
  ) {}

  async run(matchId: string, ticketId: string): Promise<LeaveMatchResult> {
    const result = await this.store.leaveUnplaced(matchId, ticketId, this.clock.now());
    if (result.outcome === 'left') this.afterCommit();
    return result;
  }
}
