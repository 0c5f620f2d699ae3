import { ranOn, type ClockReading } from '@muster/domain';

/** How hearing is judged, in milliseconds. */
export interface HearingSettings {
  /** A break of up to so long is none. */
  readonly toleranceMs: number;
  /** After a break players have so long to be heard before anything is made of their silence. */
  readonly graceMs: number;
}

/**
 * Whether this replica could hear players: its loop ran, Redis answered in time, and no clock jumped. What is in doubt counts as
 * a break, so a replica that starts begins with one.
 */
export class Hearing {
  private heardLast: readonly ClockReading[] | null = null;
  /** A break was found that Redis is still to be told of. */
  private broken = true;

  constructor(
    private readonly settings: HearingSettings,
    /** Reads the clocks: the machine's, and the one that replicas share. */
    private readonly read: () => readonly ClockReading[],
  ) {}

  /**
   * Asks Redis who was silent, and tells it of a break before that.
   *
   * @param ask is given for how long from now on nobody is to be judged; 0 when there was no break
   * @returns null when the answer came after a break, for it is worth nothing then. A question that fails throws its error; the
   *   next one finds how long it was since the last answer
   */
  async listen<T>(ask: (deafMs: number) => Promise<T>): Promise<T | null> {
    const sent = this.read();
    if (this.heardLast === null || !this.ranOn(this.heardLast, sent)) this.broken = true;
    const answer = await ask(this.broken ? this.settings.graceMs : 0);
    const got = this.read();
    this.broken = !this.ranOn(sent, got);
    this.heardLast = got;
    return this.broken ? null : answer;
  }

  private ranOn(before: readonly ClockReading[], after: readonly ClockReading[]): boolean {
    return before.every((reading, i) => {
      const later = after[i];
      return later !== undefined && ranOn(reading, later, this.settings.toleranceMs);
    });
  }
}
