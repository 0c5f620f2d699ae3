import { ranWithoutPause, type ClockReading } from '@muster/domain';

/** Thresholds of hearing, in milliseconds. */
export interface HearingSettings {
  /** A gap of at most this length is no outage. */
  readonly toleranceMs: number;
  /** After an outage, silence counts only once this grace period is over. */
  readonly graceMs: number;
}

/**
 * Players count as heard while two requests are no further apart than the tolerance; after an outage, once the grace period
 * is over.
 */
export const playersHeard: HearingSettings = { toleranceMs: 2_000, graceMs: 10_000 };

/**
 * Whether this replica could hear players: its event loop ran, Redis answered in time, and no clock jumped. Doubtful cases
 * count as outages, so a replica starts with one.
 */
export class Hearing {
  private lastReading: readonly ClockReading[] | null = null;
  /** Whether an outage was found that Redis does not know yet. */
  private hadOutage = true;

  constructor(
    private readonly settings: HearingSettings,
    /** Reads the clocks: the machine's, and the one that replicas share. */
    private readonly read: () => readonly ClockReading[],
  ) {}

  /**
   * Asks Redis for silent players, and reports an outage before that.
   *
   * @param ask receives the grace period from now on; 0 when there was no outage
   * @returns null when the answer came after an outage and is therefore worthless. A failed request throws its error; the
   *   next one measures the time since the last answer
   */
  async listen<T>(ask: (deafMs: number) => Promise<T>): Promise<T | null> {
    const sent = this.read();
    if (this.lastReading === null || !this.ranWithoutPause(this.lastReading, sent)) this.hadOutage = true;
    const answer = await ask(this.hadOutage ? this.settings.graceMs : 0);
    const got = this.read();
    this.hadOutage = !this.ranWithoutPause(sent, got);
    this.lastReading = got;
    return this.hadOutage ? null : answer;
  }

  private ranWithoutPause(before: readonly ClockReading[], after: readonly ClockReading[]): boolean {
    return before.every((reading, i) => {
      const later = after[i];
      return later !== undefined && ranWithoutPause(reading, later, this.settings.toleranceMs);
    });
  }
}
