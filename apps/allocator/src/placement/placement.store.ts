import { readMessages } from '@muster/contracts';
import { BatchedTransactions, type Db, mayBeItemsFault, processTime } from '@muster/db';
import { Batcher, Pace } from '@muster/domain';
import type {
  AnswerResult,
  BackfillFound,
  BackfillRequest,
  BackfillResult,
  BackfillStore,
  CalledOff,
  CallOffResult,
  CapacityFacts,
  CommandCursor,
  NewestCommand,
  CommandAnswer,
  HearingStore,
  EndMatchRequest,
  EndMatchResult,
  FinishResult,
  Heartbeat,
  LeaveMatchResult,
  PlacementStore,
  PlacementTimeouts,
  PlaceResult,
  ReceivedResult,
  ReplicaHearing,
  ResultConflict,
  ResultReceived,
  Retention,
  ScaleOutLimits,
  ScaleOutOutcome,
  ServerCommand,
  ServerIdentity,
  ServerRegistration,
  ServerShortage,
  DrainedBy,
  ServerStanding,
  ServerView,
  ShortageStore,
  TakenSeat,
  UnwrittenHeartbeat,
} from '@muster/domain';
import type { DueStore, DueTimes } from './due.js';
import { dueTimes } from './due.store.js';
import { forget } from '../fleet/retention.store.js';
import { commandBalance } from '../sessions/balance.store.js';
import { type Answer, answer, answersAtOnce, answerTogether } from '../sessions/answers.store.js';
import { callOff } from '../sessions/call-off.store.js';
import { endMatch } from '../sessions/end-match.store.js';
import { finish } from '../sessions/finish.store.js';
import { receive, receiveTogether, resultsAtOnce, type SessionReport } from '../sessions/results.store.js';
import { leaveUnplaced } from './leave.store.js';
import * as backfills from '../backfill/backfills.store.js';
import { withdrawSeats } from '../backfill/seat-commands.store.js';
import * as hearing from '../fleet/hearing.store.js';
import * as placing from './place.store.js';
import * as together from '../fleet/heartbeats.store.js';
import * as fleet from '../fleet/servers.store.js';
import { loseSilent } from '../fleet/silence.store.js';
import * as sessions from '../sessions/sessions.store.js';
import * as shortages from '../scale-out/shortages.store.js';

type BalanceOrder = Parameters<typeof commandBalance>[2];

interface Begun {
  readonly matchId: string;
  readonly now: number;
}

interface Unplaced extends Begun {
  readonly timeouts: PlacementTimeouts;
}

/** The minimum times between two batches of matches to place, commands, answers and results, in milliseconds. */
const [placingMs, commandingMs, answeringMs, receivingMs] = [25, 25, 25, 50];

const matchesOf = (asked: readonly Begun[]): string[] => asked.map(({ matchId }) => matchId);
const latest = (asked: readonly Begun[]): number => Math.max(...asked.map(({ now }) => now));

interface ConflictRow {
  matchId: string;
  reportedBy: string;
  reason: string;
  messages: unknown;
  receivedAt: Date;
  body: unknown;
}

/**
 * The allocator's tables. The modules under `placement/`, `fleet/`, `sessions/`, `backfill/` and `scale-out/` implement
 * the methods.
 */
export class PostgresPlacementStore
  implements PlacementStore, HearingStore, ShortageStore, BackfillStore, DueStore
{
  private readonly placingPace = new Pace(placingMs, processTime);
  private readonly beginnings = new Batcher<Begun, void>(
    placing.placedAtOnce,
    this.placingPace.counting(async (begun) => {
      await placing.begin(this.db, matchesOf(begun), latest(begun));
      return begun.map(() => undefined);
    }),
    mayBeItemsFault,
    this.placingPace.next,
  );
  /** Matches that begin together are placed together, so they have no further pace. */
  private readonly picks = new Batcher<Unplaced, PlaceResult>(
    placing.placedAtOnce,
    async (unplaced) => {
      const [first] = unplaced;
      return first ? placing.place(this.db, matchesOf(unplaced), first.timeouts, latest(unplaced)) : [];
    },
    mayBeItemsFault,
  );
  private readonly gathering = new together.HeartbeatGathering();
  private readonly beats = new Batcher<together.Beat, ServerStanding | 'alone'>(
    together.recordedAtOnce,
    (beats) => {
      this.gathering.seen(beats.length);
      return together.heartbeats(this.db, this.replicaId, beats);
    },
    mayBeItemsFault,
    () => this.gathering.wait(),
  );
  private readonly commandPace = new Pace(commandingMs, processTime);
  private readonly commandReads = new Batcher<sessions.CommandQuestion, ServerCommand[] | null>(
    sessions.readAtOnce,
    this.commandPace.counting((asked) => sessions.commandsAfter(this.db, asked)),
    mayBeItemsFault,
    this.commandPace.next,
  );
  private readonly answers: BatchedTransactions<Answer, AnswerResult>;
  private readonly results: BatchedTransactions<SessionReport, ResultReceived>;

  /** @param replicaId the allocator, by which heartbeats are recorded */
  constructor(
    private readonly db: Db,
    private readonly replicaId: string | null = null,
  ) {
    this.answers = new BatchedTransactions(db, {
      maxItems: answersAtOnce,
      paceMs: answeringMs,
      together: answerTogether,
      alone: (each: Answer) => answer(db, each),
    });
    this.results = new BatchedTransactions(db, {
      maxItems: resultsAtOnce,
      paceMs: receivingMs,
      together: receiveTogether,
      alone: (report: SessionReport) => receive(db, report),
    });
  }

  register(
    server: ServerRegistration,
    now: number,
    heardAfter?: number,
  ): Promise<{ incarnation: number; resumed: string[] }> {
    return fleet.register(this.db, this.replicaId, server, now, heardAfter);
  }
  async heartbeat(
    server: ServerIdentity,
    request: Heartbeat,
    forgottenBefore: number,
    now: number,
  ): Promise<ServerStanding | null> {
    const standing = await this.beats.submit('', { server, request, forgottenBefore, now });
    return standing === 'alone'
      ? fleet.heartbeat(this.db, this.replicaId, server, request, forgottenBefore, now)
      : standing;
  }
  drain(serverId: string, by?: DrainedBy): Promise<ServerStanding | null> {
    return fleet.drain(this.db, serverId, by);
  }

  undrain(serverId: string): Promise<ServerStanding | null> {
    return fleet.undrain(this.db, serverId);
  }
  leave(serverId: string, now: number): Promise<ServerStanding | null> {
    return fleet.leave(this.db, serverId, now);
  }
  builds(limit: number): Promise<string[]> {
    return fleet.builds(this.db, limit);
  }
  servers(after: string, limit: number): Promise<ServerView[]> {
    return fleet.servers(this.db, after, limit);
  }
  forget(before: Retention, limit: number): Promise<boolean> {
    return forget(this.db, before, limit);
  }
  recordHearing(
    replicaId: string,
    renewed: boolean,
    heard: readonly UnwrittenHeartbeat[],
    toleranceMs: number,
    now: number,
  ): Promise<ReplicaHearing[]> {
    return hearing.hear(this.db, replicaId, renewed, heard, toleranceMs, now);
  }
  forgetReplica(replicaId: string, seenBefore: number): Promise<void> {
    return hearing.forgetReplica(this.db, replicaId, seenBefore);
  }
  begin(matchId: string, now: number): Promise<void> {
    return this.beginnings.submit('', { matchId, now });
  }
  place(matchId: string, timeouts: PlacementTimeouts, now: number): Promise<PlaceResult> {
    return this.picks.submit(JSON.stringify(timeouts), { matchId, timeouts, now });
  }
  duePlacements(now: number, limit: number): Promise<string[]> {
    return placing.duePlacements(this.db, now, limit);
  }
  dueTimes(): Promise<DueTimes> {
    return dueTimes(this.db);
  }
  makePlacementsDue(now: number, limit: number): Promise<number> {
    return placing.makePlacementsDue(this.db, now, limit);
  }
  giveUp(now: number, limit: number): Promise<string[]> {
    return placing.giveUp(this.db, now, limit);
  }
  leaveUnplaced(
    matchId: string,
    ticketId: string,
    limits: Pick<PlacementTimeouts, 'silenceMs'>,
    now: number,
  ): Promise<LeaveMatchResult> {
    return leaveUnplaced(this.db, matchId, ticketId, limits, now);
  }
  hasShortages(limits: ScaleOutLimits, now: number): Promise<boolean> {
    return shortages.hasShortages(this.db, limits, now);
  }
  claimShortages(limits: ScaleOutLimits, now: number): Promise<ServerShortage[]> {
    return shortages.claimShortages(this.db, limits, now);
  }
  settleShortage(shortage: ServerShortage, outcome: ScaleOutOutcome, startMs: number): Promise<void> {
    return shortages.settleShortage(this.db, shortage, outcome, startMs);
  }
  countCapacity(limits: ScaleOutLimits, now: number): Promise<CapacityFacts> {
    return shortages.countCapacity(this.db, limits, now);
  }
  withdrawUnanswered(now: number, limit: number): Promise<string[]> {
    return sessions.withdrawUnanswered(this.db, now, limit);
  }
  loseSilent(timeouts: PlacementTimeouts, now: number, limit: number): Promise<string[]> {
    return loseSilent(this.db, timeouts, now, limit);
  }

  loseOverdue(liveBefore: number, now: number, limit: number): Promise<string[]> {
    return sessions.loseOverdue(this.db, liveBefore, now, limit);
  }

  commandsAfter(
    { serverId, incarnation }: ServerIdentity,
    after: number,
    unknown: (kind: string, seq: number) => void = () => undefined,
  ): Promise<ServerCommand[] | null> {
    return this.commandReads.submit('', { serverId, incarnation, after, unknown });
  }
  withCommands(cursors: readonly CommandCursor[]): Promise<number[]> {
    return sessions.withCommands(this.db, cursors);
  }

  newestCommands(since: number): Promise<NewestCommand[]> {
    return sessions.newestCommands(this.db, since);
  }
  answer(server: ServerIdentity, seq: number, reply: CommandAnswer, now: number): Promise<AnswerResult> {
    const each = { server, seq, reply, now };
    // Refusals are rare, and each looks for another server.
    return reply.status === 'done' ? this.answers.submit('', each) : answer(this.db, each);
  }
  receive(
    sessionId: string,
    server: ServerIdentity,
    result: ReceivedResult,
    now: number,
  ): Promise<ResultReceived> {
    return this.results.submit('', { sessionId, server, result, now });
  }
  callOff(
    sessionId: string,
    server: ServerIdentity,
    calledOff: CalledOff,
    now: number,
  ): Promise<CallOffResult> {
    return callOff(this.db, sessionId, server, calledOff, now);
  }
  finish(
    sessionId: string,
    server: ServerIdentity,
    playerIds: readonly string[],
    now: number,
  ): Promise<FinishResult> {
    return finish(this.db, sessionId, server, playerIds, now);
  }
  endMatch(matchId: string, request: EndMatchRequest, now: number): Promise<EndMatchResult> {
    return endMatch(this.db, matchId, request, now);
  }
  request(
    sessionId: string,
    server: ServerIdentity,
    request: BackfillRequest,
    now: number,
  ): Promise<BackfillResult> {
    return backfills.request(this.db, sessionId, server, request, now);
  }
  find(sessionId: string, backfillId: string, serverId: string): Promise<BackfillFound> {
    return backfills.find(this.db, sessionId, backfillId, serverId);
  }
  withdraw(sessionId: string, backfillId: string, serverId: string, now: number): Promise<BackfillFound> {
    return backfills.withdraw(this.db, sessionId, backfillId, serverId, now);
  }
  endOverdue(now: number, limit: number): Promise<string[]> {
    return backfills.endOverdue(this.db, now, limit);
  }
  withdrawSeats(sentBefore: number, limit: number): Promise<string[]> {
    return withdrawSeats(this.db, sentBefore, limit);
  }
  commandBalance(sessionId: string, order: BalanceOrder, now: number): Promise<string | null> {
    return commandBalance(this.db, sessionId, order, now);
  }
  seatFilled(taken: TakenSeat, now: number): Promise<string | null> {
    return backfills.seatFilled(this.db, taken, now);
  }
  async conflicts(limit: number): Promise<ResultConflict[]> {
    const rows = await this.db.$sql.$queryRaw<ConflictRow[]>`
      SELECT match_id AS "matchId", reported_by AS "reportedBy", reason, messages, received_at AS "receivedAt", body
      FROM result_conflict ORDER BY id DESC LIMIT ${limit}`;
    return rows.map(({ matchId, reportedBy, reason, messages, receivedAt, body }) => ({
      matchId,
      reportedBy,
      reason,
      ...(messages === null ? {} : { messages: readMessages(messages, reason) }),
      receivedAt: receivedAt.getTime(),
      body,
    }));
  }
}
