import type { BackfillState, MatchState, ServerState, SessionState } from '@muster/domain';
import type { LifeAnswer } from './requests.js';

export interface ModelMatch {
  state: MatchState;
  /** Null: its placement is over, or was not begun. */
  waits: { attempts: number; giveUpAt: number } | null;
  closedAt: number;
  endedAt: number;
  players: ModelPlayer[];
  /** Jobs to rate it. */
  rateJobs: number;
  ratings: number;
}

export interface ModelPlayer {
  readonly playerId: string;
  readonly team: number;
  readonly ticketId: string;
  readonly backfillId: string | null;
  left: boolean;
}

export interface ModelBackfill {
  readonly matchId: string;
  readonly team: number;
  readonly fingerprint: string;
  readonly expiresAt: number;
  seatsLeft: number;
  state: BackfillState;
}

/** A claim of a ticket that took seats, with the command to let it in; null: it is not given yet. */
export interface ModelClaim {
  order: 'pending' | 'done' | 'refused' | 'withdrawn' | null;
  orderedAt: number;
}

export interface ModelSession {
  readonly sessionId: string;
  readonly matchId: string;
  readonly serverId: string;
  registration: number;
  state: SessionState;
  command: 'pending' | 'done' | 'refused' | 'withdrawn';
  readonly answerBy: number;
  liveAt: number | null;
  closedAt: number | null;
  omittedAt: number | null;
  digest: string | null;
}

export interface ModelServer {
  state: ServerState;
  slots: number;
  registration: number;
  heartbeatAt: number;
  heardSince: number;
}

export const isOpen = ({ state }: ModelSession): boolean => state === 'reserved' || state === 'live';
export const serves = ({ state }: ModelServer): boolean => state === 'ready' || state === 'draining';

/** An answer that the model does not allow. */
export class NotAllowedByModel extends Error {}

/** The rows of the model, with lookups. */
export class ModelRows {
  protected matches = new Map<string, ModelMatch>();
  protected sessions: ModelSession[] = [];
  protected servers = new Map<string, ModelServer>();
  protected held = new Map<string, string>();
  protected conflicts = new Set<string>();
  protected backfills = new Map<string, ModelBackfill>();
  protected claims = new Map<string, ModelClaim>();
  /** Updates that ended matches for tickets. */
  protected endings: string[] = [];
  /** What the matcher was told of backfills. */
  protected wanted: string[] = [];
  protected closed: string[] = [];
  /** Claims whose tickets were told where to go. */
  protected joined: string[] = [];

  allMatches(): string[] {
    return [...this.matches.keys()];
  }

  /** Who is or was in a match. */
  playersOf(matchId: string): string[] {
    return this.matches.get(matchId)?.players.map(({ playerId }) => playerId) ?? [];
  }

  /** The matches that hold their players. */
  liveMatches(): string[] {
    return [...this.matches].flatMap(([id, { state }]) =>
      state === 'formed' || state === 'placed' || state === 'ended' ? [id] : [],
    );
  }

  protected match(matchId: string): ModelMatch {
    const match = this.matches.get(matchId);
    if (!match) throw new NotAllowedByModel(`there is no match ${matchId}`);
    return match;
  }

  protected isCurrent({ serverId, registration }: ModelSession): boolean {
    return this.servers.get(serverId)?.registration === registration;
  }

  protected hasServer(matchId: string): boolean {
    return this.sessions.some((session) => session.matchId === matchId && isOpen(session));
  }

  protected openOn(serverId: string): ModelSession[] {
    return this.sessions.filter((session) => session.serverId === serverId && isOpen(session));
  }
}

export function allow({ outcome }: LifeAnswer, expected: string): void {
  insist(outcome === expected, `the answer is ${outcome}; the model says ${expected}`);
}

export function expectSame(got: readonly string[], expected: readonly string[], what: string): void {
  const same = got.toSorted().join() === expected.toSorted().join();
  insist(same, `${what}: ${got.join()} instead of ${expected.join()}`);
}

export function insist(holds: boolean, otherwise: string): void {
  if (!holds) throw new NotAllowedByModel(otherwise);
}
