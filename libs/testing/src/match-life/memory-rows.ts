import { outboxJobsOf, sentenceOf, type OutboxJob } from '@muster/contracts';
import {
  mayStep,
  sessionTransitions,
  type Changes,
  type CommandState,
  type Decision,
  type FormedMatch,
  type MatchChange,
  type MatchFacts,
  type MatchOffence,
  type MatchState,
  type RosteredPlayer,
  type ServerRegistration,
  type ServerState,
  type SessionChange,
  type SessionFacts,
  type Shortage,
} from '@muster/domain';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface MatchRow {
  readonly formed: FormedMatch;
  readonly players: (Mutable<RosteredPlayer> & { readonly role: string | null })[];
  state: MatchState;
  blame: readonly MatchOffence[];
  endedAt: number | null;
  closedAt: number | null;
  closeReason: string | null;
}

export interface ServerRow extends Omit<ServerRegistration, 'resume'> {
  state: ServerState;
  incarnation: number;
  cpuLoad: number;
  commandSeq: number;
  heartbeatAt: number;
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
}

/** The tables of the match's life as objects, and the application of changes to them. */
export class MemoryRows {
  readonly verdicts = new Map<string, 'formed' | 'refused'>();
  readonly matches = new Map<string, MatchRow>();
  readonly livePlayers = new Map<string, string>();
  readonly placements = new Map<string, PlacementRow>();
  readonly servers = new Map<string, ServerRow>();
  readonly sessions = new Map<string, SessionRow>();
  readonly commands: CommandRow[] = [];
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
    return { matchId, state, queue: formed.queue, blame, players };
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
    if (blame) row.blame = [...row.blame, ...blame];
    if (left)
      for (const player of row.players) if (player.ticketId === left.ticketId) player.leftAt = left.at;
    if (match) moveMatch(matchId, row, match);
    if (changes.freesPlayers)
      for (const [player, held] of this.livePlayers) if (held === matchId) this.livePlayers.delete(player);
    const waiting = this.placements.get(matchId);
    if (placement === 'over') this.placements.delete(matchId);
    else if (placement && waiting) Object.assign(waiting, placement);
    this.keepReports(changes);
    if (command) this.order(command.serverId, command.kind, command.sessionId, command.payload);
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
  if (change.to === 'ended')
    Object.assign(row, { endedAt: change.endedAt, closedAt: null, closeReason: null });
  if ('closedAt' in change) row.closedAt = change.closedAt;
  if ('reason' in change) row.closeReason = sentenceOf(change.reason);
}
