import {
  type Clock,
  type FleetScaler,
  type ScaleOutLimits,
  type ServerShortage,
  wantsSpares,
} from '@muster/domain';
import type { PostgresShortageStore } from './shortages.store.js';

/** The minimum interval between two counts of all slots by this process, in milliseconds. */
const countEveryMs = 2_000;
/** How often missing spare slots are looked for, in milliseconds. */
const spareEveryMs = 5_000;

/**
 * Requests servers for matches that find none free, and for spare slots that are missing. Every replica polls; the store
 * lets one of them make a request, at most once per interval. A failed request is repeated after the interval if it is
 * still wanted.
 */
export class ScaleOut {
  private countedAt = -Infinity;

  constructor(
    private readonly store: Pick<PostgresShortageStore, 'hasShortages' | 'claimShortages' | 'settleShortage'>,
    private readonly scaler: FleetScaler,
    private readonly clock: Clock,
    /** Relays the jobs of a commit immediately. */
    private readonly afterCommit: () => void,
    private readonly limits: ScaleOutLimits,
  ) {}

  /** Requests servers for every shortage that is due. @returns each with its error, or null when servers are being started */
  async run() {
    const now = this.clock.now();
    // A clock that was set back has not counted yet.
    const agoMs = now < this.countedAt ? Infinity : now - this.countedAt;
    if (agoMs < countEveryMs) return [];
    const looksForSpares = wantsSpares(this.limits.spares) && agoMs >= spareEveryMs;
    if (!looksForSpares && !(await this.store.hasShortages(this.limits, now))) return [];
    this.countedAt = now;
    const shortages = await this.store.claimShortages(this.limits, now);
    return Promise.all(shortages.map((shortage) => this.request(shortage)));
  }

  private async request(shortage: ServerShortage) {
    let error: unknown = null;
    try {
      await this.scaler.ask(shortage);
    } catch (thrown) {
      error = thrown;
    }
    await this.store.settleShortage(shortage, error === null ? 'starting' : 'failed', this.limits.startMs);
    this.afterCommit();
    return { shortage, error };
  }
}
