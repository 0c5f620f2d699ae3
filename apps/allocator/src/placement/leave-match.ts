import type { Clock, LeaveMatchResult, PlacementTimeouts } from '@muster/domain';
import type { Hearing } from '../watch/hearing.js';
import type { PostgresPlacementStore } from './placement.store.js';

/** Removes players from a match that has no server, or a silent one. */
export class LeaveMatch {
  constructor(
    private readonly store: PostgresPlacementStore,
    private readonly clock: Clock,
    /** Relays the jobs of a commit immediately. */
    private readonly afterCommit: () => void,
    private readonly timeouts: Pick<PlacementTimeouts, 'silenceMs'>,
    private readonly hearing: Pick<Hearing, 'allMs'>,
  ) {}

  async run(matchId: string, ticketId: string): Promise<LeaveMatchResult> {
    const now = this.clock.now();
    const { silenceMs } = this.timeouts;
    // While servers could not be heard, none counts as silent.
    const limits = { silenceMs: this.hearing.allMs(now) < silenceMs ? now : silenceMs };
    const result = await this.store.leaveUnplaced(matchId, ticketId, limits, now);
    if (result.outcome === 'left') this.afterCommit();
    return result;
  }
}
