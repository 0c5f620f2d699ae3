import type { AnswerOf, BalanceOrder, BodyOf, PlayersAdded, SessionOrder } from '@muster/contracts';

export type ServerDescription = Omit<BodyOf<'registerServer'>, 'resume'>;
export type ResultReport = BodyOf<'reportResult'>;
export type Abandonment = BodyOf<'abandonSession'>;
export type BackfillWanted = Omit<BodyOf<'requestBackfill'>, 'leavers'> & {
  readonly leavers?: readonly string[];
};
export type Backfill = AnswerOf<'readBackfill'>;

/** Throw it from `createSession` to refuse; the coordinator asks the next best server. */
export class RefuseSession extends Error {}

/** What the game does when the coordinator speaks. */
export interface SessionHandlers {
  /** Makes a session. @returns where players connect, when not the server's own address @throws RefuseSession to refuse it */
  createSession(sessionId: string, order: SessionOrder): Promise<{ host?: string; port?: number } | void>;
  /** Players come into a running session, after `backfill`: let them in, or throw to turn them away. Without it, all are turned away. */
  addPlayers?(sessionId: string, added: PlayersAdded): Promise<void> | void;
  /** Players are to change team, so that the match stays fair: move them, and tell it (`happened`, kind `team`). */
  balance?(sessionId: string, order: BalanceOrder): Promise<void> | void;
  /** The session is not wanted (any more): end it without a result. */
  endSession(sessionId: string, reason: string): void;
  /** Share of the processor in use, 0 to 1. */
  cpuLoad?(): number;
  /** Hears of trouble that is being mended. */
  trouble?(error: unknown): void;
}
