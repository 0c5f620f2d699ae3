import type { Clock, FleetScaler, ServerShortage, ShortageStore } from '@muster/domain';

/** What came of asking about one shortage; `error` is null when servers are being started. */
export interface Asked {
  readonly shortage: ServerShortage;
  readonly error: unknown;
}

/**
 * Has servers started where matches find none free. Every replica looks; the store lets one of them ask, once in a while. Who
 * could not be asked is asked again when that while is over and somebody still waits.
 */
export class ScaleOut {
  constructor(
    private readonly store: ShortageStore,
    private readonly scaler: FleetScaler,
    private readonly clock: Clock,
    /** Sends the jobs of a commit at once instead of at the relay's next turn. */
    private readonly afterCommit: () => void,
    /** How long nobody asks about the same shortage again, in milliseconds. */
    private readonly everyMs: number,
    /** Builds that may be asked for; unless given, those of servers that are known. */
    private readonly builds?: readonly string[],
  ) {}

  /** Asks about every shortage that is due. */
  async run(): Promise<Asked[]> {
    const shortages = await this.store.claimShortages(this.everyMs, this.clock.now(), this.builds);
    return Promise.all(shortages.map((shortage) => this.ask(shortage)));
  }

  private async ask(shortage: ServerShortage): Promise<Asked> {
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
