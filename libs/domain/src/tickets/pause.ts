/** What becomes of tickets that wait while their queue is paused: they keep their places, or end with the message. */
export const pausedWaits = ['kept', 'returned'] as const;
export type PausedWait = (typeof pausedWaits)[number];

/** An operator pauses a queue, or all of them: maintenance. Times are milliseconds since the epoch. */
export interface Pause {
  /** null: all queues of the realm. */
  readonly queue: string | null;
  /** What players read. */
  readonly message: string;
  readonly waiting: PausedWait;
  /** Later than now: announced. */
  readonly startsAt: number;
  /** null: until it is ended. */
  readonly until: number | null;
}

/** Whether a pause is in force. */
export function isInForce({ startsAt, until }: Pick<Pause, 'startsAt' | 'until'>, now: number): boolean {
  return startsAt <= now && (until === null || now < until);
}

/** Seconds after which another try makes sense when nobody knows how long a pause lasts. */
const openEndedSeconds = 60;

/** Seconds until another try makes sense: when the pause is to end. */
export function retryAfterOf({ until }: Pick<Pause, 'until'>, now: number): number {
  return until === null ? openEndedSeconds : Math.max(1, Math.ceil((until - now) / 1000));
}
