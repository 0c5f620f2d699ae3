import type { Clock, FleetScaler, ServerShortage, ShortageStore } from '@muster/domain';

/** The outcome of one request for servers; `error` is null when servers are being started. */
export interface ScaleOutAttempt {
  readonly shortage: ServerShortage;
  readonly error: unknown;
}

/**
 * Requests servers when matches find none free. Every replica polls; the store lets one of them make a request, at most
 * once per interval. A failed request is repeated after the interval if a match still waits.
 */
export class ScaleOut {
  constructor(
    private readonly store: ShortageStore,
    private readonly scaler: FleetScaler,
    private readonly clock: Clock,
    /** Relays the jobs of a commit immediately. */
    private readonly afterCommit: () => void,
    /** The minimum interval between requests for the same shortage, in milliseconds. */
    private readonly everyMs: number,
    /** Builds that may be requested; defaults to those of known servers. */
    private readonly builds?: readonly string[],
  ) {}

  /** Requests servers for every shortage that is due. */
  async run(): Promise<ScaleOutAttempt[]> {
    const shortages = await this.store.claimShortages(this.everyMs, this.clock.now(), this.builds);
    return Promise.all(shortages.map((shortage) => this.request(shortage)));
  }

  private async request(shortage: ServerShortage): Promise<ScaleOutAttempt> {
    let error: unknown = null;
    try {
      await this.scaler.ask(shortage);
    } catch (thrown) {
      error = thrown;
    }
    await this.store.settleShortage(shortage, error === null ? 'starting' : 'failed');
    this.afterCommit();
    return { shortage, error };
  }
}
