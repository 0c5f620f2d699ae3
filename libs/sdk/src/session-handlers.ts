import type { AnswerOf, BalanceOrder, BodyOf, PlayersAdded, SessionOrder } from '@muster/contracts';

export type ServerDescription = Omit<BodyOf<'registerServer'>, 'resume'>;
export type ResultReport = BodyOf<'reportResult'>;
export type Abandonment = BodyOf<'abandonSession'>;
export type BackfillWanted = Omit<BodyOf<'requestBackfill'>, 'leavers'> & {
  readonly leavers?: readonly string[];
};
export type Backfill = AnswerOf<'readBackfill'>;

/** Throw it from `createSession` to refuse; the coordinator then selects another server. */
export class RefuseSession extends Error {}

/** The game's handlers of the coordinator's commands. */
export interface SessionHandlers {
  /**
   * Creates a session. @returns where players connect, if not at the server's own address @throws RefuseSession to
   * refuse it
   */
  createSession(sessionId: string, order: SessionOrder): Promise<{ host?: string; port?: number } | void>;
  /**
   * Players join a running session after `backfill`: admit them, or throw to refuse them. Without this handler all are
   * refused.
   */
  addPlayers?(sessionId: string, added: PlayersAdded): Promise<void> | void;
  /** Players must change team to keep the match fair: move them, then report it (`happened`, kind `team`). */
  balance?(sessionId: string, order: BalanceOrder): Promise<void> | void;
  /** The session is no longer wanted: end it without a result. */
  endSession(sessionId: string, reason: string): void;
  /** Share of the processor in use, 0 to 1. */
  cpuLoad?(): number;
  /**
   * Ticks a second that the game is to run, and the time in milliseconds that 95 % of the ticks since the last call stayed
   * within. Without this handler nothing is sent: an older coordinator refuses it.
   */
  tick?(): { rate: number; p95Ms: number } | undefined;
  /**
   * The allocation that this server was started or taken for is over, or another server has it: shut the process down
   * (Agones: `Shutdown`). The client has stopped, and does not register again.
   */
  released?(reason: string): void;
  /** Called for errors that are retried. */
  trouble?(error: unknown): void;
}
