import { BackfillUpdate, jobQueues, MatchUpdate, type OutboxJob } from '@muster/contracts';
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

/** The part on which model and stores have to agree. */
export interface LifeSummary extends SeatSummary {
  readonly matches: Readonly<Record<string, string>>;
  readonly servers: Readonly<Record<string, string>>;
  readonly sessions: Readonly<Record<string, string>>;
  readonly held: Readonly<Record<string, string>>;
  readonly waiting: readonly string[];
  readonly results: readonly string[];
  readonly conflicts: readonly string[];
  readonly ratings: readonly string[];
  readonly rateJobs: readonly string[];
}

/** The part of it that backfills change. */
export interface SeatSummary {
  readonly players: readonly string[];
  readonly backfills: Readonly<Record<string, string>>;
  /** Commands to admit a ticket, by its claim. */
  readonly orders: Readonly<Record<string, string>>;
  /** Updates that end a match for some of its tickets, with the tickets. */
  readonly endings: readonly string[];
  readonly wanted: readonly string[];
  readonly closed: readonly string[];
  readonly taken: readonly string[];
  readonly joined: readonly string[];
}

/** The same for the content of stores. */
export function summaryOf(view: MatchLifeView): LifeSummary {
  const matchesOf = (test: (kind: string, queue: string) => boolean): string[] =>
    view.jobs
      .filter(({ queue, jobId }) => test(jobId.split('-')[0] ?? '', queue))
      .map(({ jobId }) => jobId.slice(jobId.indexOf('-') + 1))
      .sort();
  const orders = new Map(
    view.commands.flatMap(({ sessionId, kind, state }) =>
      kind === 'create-session' ? [[sessionId, state] as const] : [],
    ),
  );
  return {
    matches: Object.fromEntries(view.matches),
    servers: Object.fromEntries([...view.servers].map(([id, { state, slots }]) => [id, `${state} ${slots}`])),
    sessions: Object.fromEntries(
      view.sessions.map(({ sessionId, matchId, serverId, state }) => [
        sessionId,
        `${matchId} on ${serverId}: ${state}, ${orders.get(sessionId) ?? 'none'}`,
      ]),
    ),
    held: Object.fromEntries(view.livePlayers),
    waiting: [...view.waiting].sort(),
    results: [...view.results].sort(),
    conflicts: [...view.conflicts].sort(),
    ratings: [...view.ratings].sort(),
    rateJobs: matchesOf((kind) => kind === 'rate'),
    ...seatsOf(view),
  };
}

function seatsOf({ players, backfills, commands, jobs }: MatchLifeView): SeatSummary {
  const payloads = (of: string): unknown[] =>
    jobs.flatMap(({ queue, payload }) => (queue === of ? [payload] : []));
  const updates = payloads(jobQueues.matchUpdates).map((payload) => MatchUpdate.parse(payload));
  const told = payloads(jobQueues.backfills).map((payload) => BackfillUpdate.parse(payload));
  return {
    players: players
      .map(
        ({ matchId, playerId, team, ticketId, left }) =>
          `${matchId}: ${playerId} of team ${team} by ${ticketId}${left ? ', left' : ''}`,
      )
      .sort(),
    backfills: Object.fromEntries(
      backfills.map(({ backfillId, state, seatsLeft }) => [backfillId, `${state}, ${seatsLeft} left`]),
    ),
    orders: Object.fromEntries(
      commands.flatMap(({ proposalId, state }) => (proposalId === null ? [] : [[proposalId, state]])),
    ),
    endings: updates
      .flatMap(({ kind, matchId, ticketIds }) =>
        ['rated', 'abandoned', 'remade'].includes(kind)
          ? [`${matchId}: ${ticketIds.toSorted().join(', ')}`]
          : [],
      )
      .sort(),
    wanted: told
      .flatMap((each) => {
        if (each.kind !== 'wanted') return [];
        const names = each.teams.map((team) => team.map(({ playerId }) => playerId).join('+'));
        return [`${each.backfillId}: ${each.seats} of team ${each.team} for ${names.join(' v ')}`];
      })
      .sort(),
    closed: told.flatMap(({ kind, backfillId }) => (kind === 'closed' ? [backfillId] : [])).sort(),
    taken: jobs
      .flatMap(({ queue, jobId }) =>
        queue === jobQueues.seatFilled ? [jobId.slice('seat-filled-'.length)] : [],
      )
      .sort(),
    joined: updates.flatMap((each) => (each.kind === 'joined' ? [each.proposalId] : [])).sort(),
  };
}
