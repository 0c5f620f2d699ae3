import type { OutboxJob } from '@muster/contracts';
import type {
  BackfillState,
  BackfillStore,
  CommandState,
  FillResult,
  FormedMatch,
  FormResult,
  MatchState,
  PlacementStore,
  PlacementTimeouts,
  SeatFill,
  ServerState,
  SessionState,
  VoidResult,
} from '@muster/domain';

/** The operations on a match, a session and their server that the stores of three services provide. */
export interface MatchLifeStores {
  readonly placements: Pick<
    PlacementStore,
    | 'register'
    | 'heartbeat'
    | 'drain'
    | 'undrain'
    | 'leave'
    | 'begin'
    | 'place'
    | 'giveUp'
    | 'leaveUnplaced'
    | 'withdrawUnanswered'
    | 'loseSilent'
    | 'loseOverdue'
    | 'answer'
    | 'receive'
    | 'callOff'
    | 'endMatch'
    | 'finish'
  >;
  readonly backfills: BackfillStore;
  form(match: FormedMatch): Promise<FormResult>;
  seat(seat: SeatFill, now: number): Promise<FillResult>;
  /** Rates by a model that accepts any match of two teams. */
  rateMatch(matchId: string, now: number): Promise<'rated' | 'unratable' | 'closed' | 'not-ended'>;
  voidMatch(matchId: string, now: number): Promise<VoidResult['outcome']>;
  view(): Promise<MatchLifeView>;
}

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

/** Stores created for one test, empty except for the pool `ladder`. */
export interface MatchLifeUnderTest {
  readonly stores: MatchLifeStores;
  dispose?(): Promise<void>;
}

export type CreateMatchLife = () => Promise<MatchLifeUnderTest>;

/** The timeouts that the tests use: a fleet of one server is judged as soon as it is silent. */
export const placementTimeouts: PlacementTimeouts = {
  answerMs: 5_000,
  silenceMs: 10_000,
  massSilenceMs: 10_000,
  avoidMs: 15_000,
};

/** Time limit of a match in the tests, in milliseconds. */
export const matchLimitMs = 120_000;
