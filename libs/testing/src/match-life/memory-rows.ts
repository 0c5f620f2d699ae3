import { outboxJobsOf, RulesOfMatch, sentenceOf, type OutboxJob } from '@muster/contracts';
import {
  backfillTransitions,
  mayStep,
  sessionTransitions,
  type AwaitedServer,
  type BackfillChange,
  type BackfillFacts,
  type Changes,
  type CommandState,
  type Decision,
  type FillableMatch,
  type FillablePlayer,
  type FormedMatch,
  type MatchChange,
  type MatchFacts,
  type MatchOffence,
  type MatchState,
  type NewSeats,
  type RosteredPlayer,
  type ServerRegistration,
  type ServerState,
  type SessionChange,
  type SessionFacts,
  type Shortage,
  type UnplacedMatch,
} from '@muster/domain';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface MatchRow {
  readonly formed: FormedMatch;
  players: Mutable<RosteredPlayer & FillablePlayer>[];
  region: string | null;
  state: MatchState;
  blame: readonly MatchOffence[];
  endedAt: number | null;
  closedAt: number | null;
  closeReason: string | null;
}

export interface ServerRow extends Omit<ServerRegistration, 'resume'>, Mutable<AwaitedServer> {
  readonly serverId: string;
  readonly region: string;
  state: ServerState;
  incarnation: number;
  cpuLoad: number;
  tickLoad: number | null;
  overloaded: boolean;
  commandSeq: number;
  drainedByOperator: boolean;
}

export interface SessionRow extends Mutable<SessionFacts> {
  readonly ordinal: number;
  readonly answerBy: number;
  host: string | null;
  port: number | null;
  reason: string | null;
  closedAt: number | null;
  omittedAt: number | null;
}

export interface CommandRow {
  readonly serverId: string;
  readonly seq: number;
  readonly sessionId: string;
  readonly kind: string;
  readonly payload: object;
  state: CommandState;
}

export interface PlacementRow {
  attempts: number;
  dueAt: number;
  readonly giveUpAt: number;
  shortage: Shortage | null;
  told: UnplacedMatch['told'];
}

/** A number in the rules of a match; null: not set. */
export const ruleOf = (formed: FormedMatch, name: string): number | null => {
  const value: unknown = Object.entries(formed.rules).find(([key]) => key === name)?.[1];
  return typeof value === 'number' ? value : null;
};

/** The tables of the match's life as objects, and the application of changes to them. */
export class MemoryRows {
  readonly verdicts = new Map<string, 'formed' | 'refused'>();
  readonly matches = new Map<string, MatchRow>();
  readonly livePlayers = new Map<string, string>();
  readonly placements = new Map<string, PlacementRow>();
  readonly servers = new Map<string, ServerRow>();
  readonly sessions = new Map<string, SessionRow>();
  readonly commands: CommandRow[] = [];
  readonly backfills = new Map<string, Mutable<BackfillFacts>>();
  readonly results = new Map<string, { readonly matchId: string; readonly digest: string }>();
  readonly conflicts: { readonly matchId: string; readonly digest: string }[] = [];
  /** Matches in the ledger, with their times. */
  readonly ratings: { readonly matchId: string; readonly at: number }[] = [];
  readonly jobs: OutboxJob[] = [];

  match(matchId: string): MatchRow {
    const row = this.matches.get(matchId);
    if (!row) throw new Error(`there is no match ${matchId}`);
    return row;
  }

  matchFacts(matchId: string): MatchFacts {
    const { formed, state, blame, players } = this.match(matchId);
    const outstanding = players.flatMap(({ backfillId, ticketId }) =>
      backfillId === null || ticketId === null || this.letsIn(backfillId, ticketId)
        ? []
        : [{ backfillId, ticketId }],
    );
    return {
      matchId,
      state,
      queue: formed.queue,
      blame,
      players,
      outstanding,
      crashRequeueSeconds: ruleOf(formed, 'crashRequeueSeconds'),
      ticketTtlSeconds: ruleOf(formed, 'ticketTtlSeconds'),
    };
  }

  private letsIn(backfillId: string, ticketId: string): boolean {
    return this.commands.some(
      ({ kind, state, payload }) =>
        kind === 'add-players' &&
        state === 'done' &&
        'ticketId' in payload &&
        payload.ticketId === ticketId &&
        'backfillId' in payload &&
        payload.backfillId === backfillId,
    );
  }

  fillable(matchId: string): FillableMatch {
    const { formed, region, players, blame } = this.match(matchId);
    const { queue, build, map, bots } = formed;
    const { data: rules = null } = RulesOfMatch.safeParse(formed.rules);
    const inOrder = players.toSorted((a, b) => (a.playerId < b.playerId ? -1 : 1));
    return { matchId, queue, build, region, map, bots, blame, rules, players: inOrder };
  }

  openSessionsOf(matchId: string): SessionRow[] {
    return this.openSessions().filter((session) => session.matchId === matchId);
  }

  openSessions(): SessionRow[] {
    return [...this.sessions.values()].filter(({ state }) => state === 'reserved' || state === 'live');
  }

  /** Applies a decision. @throws Error when a row is not in the state of the decision */
  carryOut<Outcome>({ outcome, changes, jobs }: Decision<Outcome>): Outcome {
    if (changes) this.write(changes);
    this.jobs.push(...outboxJobsOf(jobs));
    return outcome;
  }

  private write(changes: Changes): void {
    const { matchId, match, session, answered, withdrawnOrderOf, command, placement, blame, left } = changes;
    if (answered) this.command(answered.serverId, answered.seq).state = answered.state;
    for (const order of this.commands)
      if (
        order.sessionId === withdrawnOrderOf &&
        order.kind === 'create-session' &&
        order.state === 'pending'
      )
        order.state = 'withdrawn';
    if (session) this.moveSession(session);
    const row = this.match(matchId);
    if (blame) row.blame = blame;
    if (left)
      for (const player of row.players) if (player.ticketId === left.ticketId) player.leftAt = left.at;
    this.moveSeats(changes, row);
    if (match) moveMatch(matchId, row, match);
    if (changes.freesPlayers)
      for (const [player, held] of this.livePlayers) if (held === matchId) this.livePlayers.delete(player);
    const waiting = this.placements.get(matchId);
    if (placement === 'over') this.placements.delete(matchId);
    else if (placement && waiting) Object.assign(waiting, placement);
    this.keepReports(changes);
    if (command) this.order(command.serverId, command.kind, command.sessionId, command.payload);
  }

  private moveSeats(changes: Changes, row: MatchRow): void {
    const { matchId, departed, finished, unseated, backfillOpened, backfill, seated } = changes;
    for (const player of row.players)
      if (finished?.playerIds.includes(player.playerId)) {
        player.finishedAt = finished.at;
        this.free(player.playerId, matchId);
      }
    if (departed)
      for (const player of row.players)
        if (departed.playerIds.includes(player.playerId)) {
          player.leftAt = departed.at;
          this.free(player.playerId, matchId);
        }
    for (const { ticketId, backfillId } of unseated ?? []) {
      const isOf = (player: FillablePlayer): boolean =>
        player.ticketId === ticketId && player.backfillId === backfillId;
      for (const { playerId } of row.players.filter(isOf)) this.free(playerId, matchId);
      row.players = row.players.filter((player) => !isOf(player));
    }
    if (backfillOpened) {
      const { backfillId, seats } = backfillOpened;
      if (this.backfills.has(backfillId)) throw new Error(`there is a backfill ${backfillId}`);
      const fresh = { matchId, seatsLeft: seats, state: 'open', playerIds: [] } as const;
      this.backfills.set(backfillId, { ...backfillOpened, ...fresh });
    }
    if (backfill) this.moveBackfill(backfill);
    if (seated) this.seat(matchId, row, seated);
  }

  private free(playerId: string, matchId: string): void {
    if (this.livePlayers.get(playerId) === matchId) this.livePlayers.delete(playerId);
  }

  private moveBackfill(change: BackfillChange): void {
    const row = this.backfills.get(change.backfillId);
    if (!row || !backfillTransitions[row.state].includes(change.to))
      throw new Error(`backfill ${change.backfillId} is ${row?.state}: it does not become ${change.to}`);
    row.state = change.to;
    if ('seatsLeft' in change) row.seatsLeft = change.seatsLeft;
  }

  private seat(
    matchId: string,
    row: MatchRow,
    { backfillId, ticketId, team, joinedAt, players }: NewSeats,
  ): void {
    for (const { playerId, mu, role } of players) {
      if (this.livePlayers.has(playerId)) throw new Error(`${playerId} is in a live match`);
      this.livePlayers.set(playerId, matchId);
      row.players.push({ playerId, team, ticketId, mu, role, joinedAt, leftAt: null, backfillId });
    }
  }

  private keepReports({ matchId, result, conflict }: Changes): void {
    if (result) {
      const known = [...this.results.values()].some((other) => other.matchId === matchId);
      if (known || this.results.has(result.sessionId)) throw new Error(`match ${matchId} has a result`);
      this.results.set(result.sessionId, { matchId, digest: result.digest });
    }
    if (
      conflict &&
      !this.conflicts.some((kept) => kept.matchId === matchId && kept.digest === conflict.digest)
    )
      this.conflicts.push({ matchId, digest: conflict.digest });
  }

  /** Queues a command for a server. */
  order(serverId: string, kind: string, sessionId: string, payload: object): void {
    const server = this.servers.get(serverId);
    if (!server) throw new Error(`there is no server ${serverId}`);
    server.commandSeq += 1;
    this.commands.push({ serverId, seq: server.commandSeq, sessionId, kind, payload, state: 'pending' });
  }

  private command(serverId: string, seq: number): CommandRow {
    const row = this.commands.find((each) => each.serverId === serverId && each.seq === seq);
    if (!row) throw new Error(`${serverId} has no command ${seq}`);
    return row;
  }

  private moveSession(change: SessionChange): void {
    const row = this.sessions.get(change.sessionId);
    if (!row || !change.from.includes(row.state) || !sessionTransitions[row.state].includes(change.to))
      throw new Error(`session ${change.sessionId} is ${row?.state}: it does not become ${change.to}`);
    row.state = change.to;
    if (change.to === 'live')
      Object.assign(row, { host: change.host, port: change.port, liveAt: change.liveAt });
    else row.closedAt ??= change.closedAt;
    if ('reason' in change) row.reason = sentenceOf(change.reason);
  }
}

function moveMatch(matchId: string, row: MatchRow, change: MatchChange): void {
  if (!change.from.includes(row.state) || !mayStep(row.state, change.to))
    throw new Error(`match ${matchId} is ${row.state}: it does not become ${change.to}`);
  row.state = change.to;
  if (change.to === 'placed') row.region = change.region;
  if (change.to === 'ended')
    Object.assign(row, { endedAt: change.endedAt, closedAt: null, closeReason: null });
  if ('closedAt' in change) row.closedAt = change.closedAt;
  if ('reason' in change) row.closeReason = sentenceOf(change.reason);
}
