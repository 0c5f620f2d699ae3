import type { Clock, LeaveMatchResult, PlacementStore } from '@muster/domain';

/** Removes players from a match that has no server. */
export class LeaveMatch {
  constructor(
    private readonly store: Pick<PlacementStore, 'leaveUnplaced'>,
    private readonly clock: Clock,
    /** Relays the jobs of a commit immediately. */
    private readonly afterCommit: () => void,
  ) {}

  async run(matchId: string, ticketId: string): Promise<LeaveMatchResult> {
    const result = await this.store.leaveUnplaced(matchId, ticketId, this.clock.now());
    if (result.outcome === 'left') this.afterCommit();
    return result;
  }
}
