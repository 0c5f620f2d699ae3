import type { OutboxJob } from '@muster/contracts';
import type {
  BackfillState,
  CommandState,
  MatchState,
  PlacementTimeouts,
  ServerState,
  SessionState,
} from '@muster/domain';

/** The content of the stores. Lists are in the order of insertion. */
export interface MatchLifeView {
  readonly matches: ReadonlyMap<string, MatchState>;
  readonly servers: ReadonlyMap<string, { readonly state: ServerState; readonly slots: number }>;
  readonly sessions: readonly SessionView[];
  readonly commands: readonly CommandView[];
  readonly players: readonly PlayerView[];
  readonly backfills: readonly StoredBackfill[];
  /** The match that holds a player. */
  readonly livePlayers: ReadonlyMap<string, string>;
  /** Matches whose placement is not over. */
  readonly waiting: readonly string[];
  /** Matches with a result that counts, once per result. */
  readonly results: readonly string[];
  /** Matches of reports that do not count, once per report. */
  readonly conflicts: readonly string[];
  /** Matches in the ledger, once per event that rated them. */
  readonly ratings: readonly string[];
  readonly jobs: readonly OutboxJob[];
}

export interface SessionView {
  readonly sessionId: string;
  readonly matchId: string;
  readonly serverId: string;
  readonly ordinal: number;
  readonly state: SessionState;
}

export interface CommandView {
  readonly serverId: string;
  readonly seq: number;
  readonly sessionId: string;
  readonly kind: string;
  readonly state: CommandState;
  /** The claim of the ticket that an `add-players` admits; null for other kinds. */
  readonly proposalId: string | null;
}

export interface PlayerView {
  readonly matchId: string;
  readonly playerId: string;
  readonly team: number;
  readonly ticketId: string | null;
  readonly left: boolean;
}

export interface StoredBackfill {
  readonly backfillId: string;
  readonly matchId: string;
  readonly team: number;
  readonly state: BackfillState;
  readonly seatsLeft: number;
}

/** The timeouts that the tests use: a fleet of one server is judged as soon as it is silent. */
export const placementTimeouts: PlacementTimeouts = {
  answerMs: 5_000,
  silenceMs: 10_000,
  massSilenceMs: 10_000,
  avoidMs: 15_000,
};

/** Time limit of a match in the tests, in milliseconds. */
export const matchLimitMs = 120_000;
