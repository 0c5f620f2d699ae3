import {
  endpointOf,
  type AnswerOf,
  type BodyOf,
  type CommandView,
  type EndpointName,
  type PlayersAdded,
} from '@muster/contracts';
import { Caller, pause, type CallOptions } from './caller.js';
import { callsOf, type CallAnswer, type CallsOf } from './calls.js';
import { methodsOf } from './methods.js';
import { JoinTokens, type Join } from './join-tokens.js';
import { requestSigner } from './request-signer.js';
import { MusterProblem } from './problem.js';
import {
  isAllocationOver,
  isInvalidRequest,
  isTransient,
  isUnknownServer,
  pauseMs,
  type CallLimits,
} from './retry.js';
import { RosterLog, type Happening } from './roster-log.js';
import {
  RefuseSession,
  type Abandonment,
  type Backfill,
  type BackfillWanted,
  type ResultReport,
  type ServerDescription,
  type SessionHandlers,
} from './session-handlers.js';

/** How a server reaches the coordinator, and what it is. */
export interface ServerOptions {
  readonly url: string;
  /** The SERVER_KEY of the coordinator, or a fleet key. */
  readonly serverKey: string;
  readonly server: ServerDescription;
  /** Whether each request is signed (RFC 9421), which a fleet key may demand. The key is then never sent. */
  readonly signs?: boolean;
}

/** The time for which events are collected into a batch, in milliseconds. */
const batchMs = 200;

/**
 * A client for dedicated servers: registers, sends heartbeats, takes commands, reports results. It only makes outgoing
 * calls, so it works behind NAT. If the coordinator no longer knows it, it registers again and keeps its running
 * sessions.
 */
export class ServerClient {
  /** Every call of the endpoint table that a server may make, with its own token or the server key, by its name. */
  readonly calls: CallsOf<'server' | 'fleet' | 'anyone'>;
  private readonly sessions = new Set<string>();
  private readonly registrar: Caller;
  private readonly method = methodsOf(() => this.registrar);
  private readonly caller: Caller;
  private readonly ended = new AbortController();
  private readonly log = new RosterLog();
  private readonly joins: JoinTokens;
  private loops: Promise<void>[] = [];
  private serverToken = '';
  private heartbeatMs = 2_500;
  private cursor = 0;
  private registering: Promise<void> | null = null;

  constructor(
    private readonly options: ServerOptions,
    private readonly handlers: SessionHandlers,
  ) {
    const { url, serverKey, server, signs = false } = options;
    const caller = (token: () => string | null, serverId: string | null): Caller =>
      new Caller(url, token, undefined, undefined, signs ? requestSigner(serverKey, serverId) : undefined);
    this.registrar = caller(() => (signs ? null : serverKey), null);
    this.caller = caller(() => this.serverToken, server.serverId);
    this.calls = callsOf(['server', 'fleet', 'anyone'], (name, make) =>
      needsServerToken(name) ? this.call(() => make(this.caller)) : make(this.registrar),
    );
    this.joins = new JoinTokens({ url: options.url });
  }

  /**
   * Registers, then sends heartbeats and takes commands until `stop`.
   *
   * @throws MusterProblem `allocation-over` or `allocation-taken`: the server is not wanted and must shut down
   */
  async start(): Promise<void> {
    await this.register();
    void this.joins.load();
    this.loops = [this.sendHeartbeats(), this.takeCommands(), this.sendEvents()];
  }

  /**
   * Reports the result of a session. Retried until the coordinator accepts it or `limits` end it; repeats count once.
   *
   * @throws MusterProblem if it is refused permanently (the session was lost, or another result is known)
   */
  report(
    sessionId: string,
    result: ResultReport,
    limits: CallLimits = {},
  ): Promise<CallAnswer<'reportResult'>> {
    return this.conclude(sessionId, limits, (each) =>
      this.caller.call('reportResult', { params: { sessionId }, body: result, timeoutMs: 10_000, ...each }),
    );
  }

  /**
   * Ends a session without a result: no player is rated, all are freed. Names those who never connected or left
   * permanently; with `remake` the others are queued again. Retried like a report.
   *
   * @throws MusterProblem if it is refused permanently
   */
  abandon(
    sessionId: string,
    said: Abandonment,
    limits: CallLimits = {},
  ): Promise<{ matchId: string; counted: boolean }> {
    return this.conclude(sessionId, limits, (each) =>
      this.caller.call('abandonSession', { params: { sessionId }, body: said, timeoutMs: 10_000, ...each }),
    );
  }

  /** Names players who are finished in a match that goes on: they may queue again, and the result counts for them. */
  finished(
    sessionId: string,
    playerIds: readonly string[],
    limits: CallLimits = {},
  ): Promise<{ matchId: string }> {
    const body = { playerIds: [...playerIds] };
    return this.caller.call('finishPlayers', { params: { sessionId }, body, ...limits });
  }

  /**
   * Requests players to replace those who left permanently; they arrive by `addPlayers`. Retries make one request.
   *
   * @throws MusterProblem if there are no such seats, the queue does not backfill, or the session is over
   */
  backfill(
    sessionId: string,
    { leavers = [], ...wanted }: BackfillWanted,
    limits: CallLimits = {},
  ): Promise<Backfill> {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { ...wanted, leavers: [...leavers] };
    return this.asServer('requestBackfill', {
      params: { sessionId },
      body,
      headers,
      timeoutMs: 10_000,
      ...limits,
    });
  }

  /** The state of a backfill request. */
  readBackfill(sessionId: string, backfillId: string, limits: CallLimits = {}): Promise<Backfill> {
    return this.asServer('readBackfill', { params: { sessionId, backfillId }, ...limits });
  }

  /** Withdraws a backfill request. @returns its final state: seats that were taken stay taken */
  withdrawBackfill(sessionId: string, backfillId: string, limits: CallLimits = {}): Promise<Backfill> {
    return this.asServer('withdrawBackfill', { params: { sessionId, backfillId }, ...limits });
  }

  /**
   * Reports an event on a session: a player joins, leaves, dies, changes team or scores. Returns immediately; events
   * are sent in order and count once. Balance orders arrive by `balance`.
   */
  happened(sessionId: string, happening: Happening): void {
    this.log.add(sessionId, happening);
  }

  /** Without limits, a result is retried until the coordinator accepts it or this client stops. */
  private async conclude<T>(
    sessionId: string,
    { patienceMs = Infinity, signal }: CallLimits,
    say: (each: CallLimits) => Promise<T>,
  ): Promise<T> {
    const until = performance.now() + patienceMs;
    const stop = AbortSignal.any([this.ended.signal, ...(signal ? [signal] : [])]);
    for (let attempt = 1; ; attempt++) {
      try {
        const accepted = await this.call(() => say({ signal: stop, patienceMs: 0 }));
        this.sessions.delete(sessionId);
        this.log.forget(sessionId);
        return accepted;
      } catch (error) {
        if (error instanceof MusterProblem && error.status < 500 && !isTransient(error)) {
          this.sessions.delete(sessionId);
          throw error;
        }
        const waitMs = pauseMs(attempt, error, Math.random());
        if (stop.aborted || performance.now() + waitMs > until) throw error;
        this.handlers.trouble?.(error);
        await pause(waitMs, stop);
      }
    }
  }

  /**
   * Splits players into even teams, with a proof; nothing is stored. Needs no registration; neither do the next two.
   */
  readonly split = this.method('splitTeams');

  /** The best two teams of every size, the others on the bench. */
  readonly splits = this.method('splitPool');

  /** The fewest swaps that make two teams even enough. */
  readonly rebalance = this.method('rebalanceTeams');

  /** Whether the teams of a running match are unbalanced, and who should move, for a given roster. */
  readonly checkBalance = this.method('checkBalance');

  /** The team of a joining player, or the change of teams after one leaves. */
  readonly placePlayer = this.method('placePlayer');

  /** The number of bots, and the teams at the start of a game. */
  readonly planBots = this.method('planBots');

  /** A team's advantage, and the levers that reduce it. */
  readonly askHandicap = this.method('askHandicap');

  /** Whether a round requires new teams, and the best ones of every size. */
  readonly askScramble = this.method('askScramble');

  /** The sides that follow from the players' wishes; do not show wishes to players before. */
  readonly askSides = this.method('askSides');

  /**
   * Verifies the join token of a player who connects, offline.
   *
   * @throws JoinRefused with the reason as its `code`; `other-session` if no session of this server is meant
   */
  verifyJoin(token: string): Promise<Join> {
    return this.joins.verify(token, (sessionId) => this.sessions.has(sessionId));
  }

  /** Takes no new sessions; running ones continue. */
  async drain(limits: CallLimits = {}): Promise<void> {
    await this.asServer('drainServer', { params: this.params(), ...limits });
  }

  /** Takes new sessions again. */
  async undrain(limits: CallLimits = {}): Promise<void> {
    await this.asServer('undrainServer', { params: this.params(), ...limits });
  }

  /**
   * Takes no new sessions, and stops if none is left: for a server that was idle for long, or has hosted its last match.
   *
   * @returns whether it stopped; false while sessions run: call it again when they have ended
   */
  async retire(limits: CallLimits = {}): Promise<boolean> {
    const { slotsInUse } = await this.asServer('drainServer', { params: this.params(), ...limits });
    if (slotsInUse > 0) return false;
    await this.stop();
    return true;
  }

  /** Deregisters and stops. Running sessions are lost: drain first. */
  async stop(): Promise<void> {
    await this.asServer('leaveServer', { params: this.params(), patienceMs: 2_000, timeoutMs: 2_000 }).catch(
      () => undefined,
    );
    this.silence();
    await Promise.all(this.loops);
  }

  /** Stops without deregistering, as a crash would. For tests. */
  silence(): void {
    this.ended.abort();
  }

  private params(): { serverId: string } {
    return { serverId: this.options.server.serverId };
  }

  private register(): Promise<void> {
    // Heartbeat and command loop may detect it at the same time: both share one registration.
    this.registering ??= (async () => {
      try {
        const body = { ...this.options.server, resume: [...this.sessions] };
        const registered = await this.registrar.call('registerServer', {
          body,
          patienceMs: Infinity,
          trouble: this.handlers.trouble,
          signal: this.ended.signal,
          timeoutMs: 10_000,
        });
        this.serverToken = registered.serverToken;
        this.heartbeatMs = registered.heartbeatSeconds * 1000;
        const kept = new Set(registered.resumed);
        for (const sessionId of this.sessions) {
          if (kept.has(sessionId)) continue;
          this.sessions.delete(sessionId);
          this.handlers.endSession(
            sessionId,
            'the coordinator ended it while this server was not registered',
          );
        }
      } catch (error) {
        if (isAllocationOver(error) && !this.ended.signal.aborted) {
          this.silence();
          this.handlers.released?.(error.message);
        }
        throw error;
      } finally {
        this.registering = null;
      }
    })();
    return this.registering;
  }

  /** Makes a call; registers and calls again if the coordinator no longer knows this server. */
  private async call<T>(make: () => Promise<T>): Promise<T> {
    const token = this.serverToken;
    try {
      return await make();
    } catch (error) {
      if (this.ended.signal.aborted || !isUnknownServer(error)) throw error;
      // Another call may have registered meanwhile; a second registration would lose sessions reserved since.
      if (this.serverToken === token) await this.register();
      return make();
    }
  }

  /** A call with the server's own token. */
  private asServer<N extends EndpointName>(name: N, options: CallOptions<N>): Promise<AnswerOf<N>> {
    return this.call(() => this.caller.call(name, options));
  }

  private heartbeat(): BodyOf<'heartbeat'> {
    const tick = this.handlers.tick?.();
    return {
      cpuLoad: this.handlers.cpuLoad?.() ?? 0,
      ...(tick ? { tick } : {}),
      sessions: [...this.sessions],
    };
  }

  private async beat(): Promise<void> {
    const token = this.serverToken;
    const { serverToken } = await this.caller.call('heartbeat', {
      params: this.params(),
      body: this.heartbeat(),
      patienceMs: 0,
      timeoutMs: 3_000,
      trouble: this.handlers.trouble,
      signal: this.ended.signal,
    });
    // One of a registration in the meantime is newer.
    if (serverToken !== undefined && this.serverToken === token) this.serverToken = serverToken;
  }

  private async sendHeartbeats(): Promise<void> {
    let [waitMs, failures] = [this.heartbeatMs, 0];
    while (!this.ended.signal.aborted) {
      try {
        await pause(waitMs, this.ended.signal);
        // A single attempt: a body repeated later would omit sessions begun since, and they would be lost.
        await this.call(() => this.beat());
        [waitMs, failures] = [this.heartbeatMs, 0];
      } catch (error) {
        if (this.ended.signal.aborted) return;
        this.handlers.trouble?.(error);
        // Not later than the next heartbeat: a gap on the coordinator's side must not become one of this server.
        waitMs = Math.min(pauseMs(++failures, error, Math.random()), this.heartbeatMs);
      }
    }
  }

  private async takeCommands(): Promise<void> {
    let failures = 0;
    while (!this.ended.signal.aborted) {
      try {
        const query = { after: this.cursor, waitSeconds: 20 };
        const { commands } = await this.asServer('takeCommands', {
          params: this.params(),
          query,
          patienceMs: 0,
          timeoutMs: 30_000,
          signal: this.ended.signal,
        });
        failures = 0;
        for (const command of commands) {
          this.cursor = command.seq;
          void this.execute(command).catch((error: unknown) => this.handlers.trouble?.(error));
        }
      } catch (error) {
        if (this.ended.signal.aborted) return;
        this.handlers.trouble?.(error);
        // Below a second after an outage, unless more is asked for: matches wait for this server.
        const waitMs = pauseMs(Math.min(++failures, 3), error, Math.random());
        await pause(waitMs, this.ended.signal).catch(() => undefined);
      }
    }
  }

  private async sendEvents(): Promise<void> {
    while (!this.ended.signal.aborted) {
      await pause(batchMs, this.ended.signal).catch(() => undefined);
      const sessions = this.log.next();
      if (!sessions || this.ended.signal.aborted) continue;
      try {
        const receipt = await this.asServer('tellRoster', {
          params: this.params(),
          body: { sessions },
          timeoutMs: 5_000,
          patienceMs: 0,
          signal: this.ended.signal,
        });
        this.log.acknowledge(receipt);
        for (const { leftOut } of receipt.sessions)
          for (const { why } of leftOut)
            this.handlers.trouble?.(new Error(`The coordinator ignored an event: ${why}`));
      } catch (error) {
        if (this.ended.signal.aborted) return;
        if (isInvalidRequest(error)) {
          const dropped = this.log.refused(sessions);
          if (!dropped) continue;
          this.handlers.trouble?.(
            new Error(`"${dropped.kind}" is dropped: ${messageOf(error)}`, { cause: error }),
          );
          continue;
        }
        this.handlers.trouble?.(error);
        await pause(500, this.ended.signal).catch(() => undefined);
      }
    }
  }

  private async execute({
    seq,
    kind,
    sessionId,
    session,
    added,
    balance,
    reason,
  }: CommandView): Promise<void> {
    const params = { ...this.params(), seq };
    const answer = (body: BodyOf<'answerCommand'>): Promise<unknown> =>
      this.asServer('answerCommand', { params, body, timeoutMs: 5_000, signal: this.ended.signal });
    if (kind === 'add-players' && added) return this.admitPlayers(sessionId, added, answer);
    if (kind === 'balance' && balance) {
      try {
        if (!this.handlers.balance) throw new Error('this server does not move players');
        await this.handlers.balance(sessionId, balance);
        await answer({ status: 'done' });
      } catch (error) {
        await answer({ status: 'refused', reason: messageOf(error) });
      }
      return;
    }
    if (kind !== 'create-session' && kind !== 'end-session')
      return this.refuseUnknown(kind, 'this server does not support the command', answer);
    if (kind === 'end-session') {
      if (this.sessions.delete(sessionId))
        this.handlers.endSession(sessionId, reason ?? 'the coordinator ended it');
      await answer({ status: 'done' });
      return;
    }
    if (!session) return this.refuseUnknown(kind, 'this server cannot parse the command', answer);
    try {
      const at = await this.handlers.createSession(sessionId, session);
      this.sessions.add(sessionId);
      await answer({ status: 'done', ...at });
    } catch (error) {
      if (this.sessions.delete(sessionId)) this.handlers.endSession(sessionId, 'the coordinator withdrew it');
      else if (!this.ended.signal.aborted) await answer({ status: 'refused', reason: messageOf(error) });
      if (!(error instanceof RefuseSession)) this.handlers.trouble?.(error);
    }
  }

  /** Refuses a command of a newer coordinator. No session ends because of it. */
  private async refuseUnknown(
    kind: string,
    why: string,
    answer: (body: BodyOf<'answerCommand'>) => Promise<unknown>,
  ): Promise<void> {
    this.handlers.trouble?.(new Error(`${why} "${kind}" and refuses it; a newer SDK may be needed`));
    await answer({ status: 'refused', reason: `${why} ${kind}` });
  }

  private async admitPlayers(
    sessionId: string,
    added: PlayersAdded,
    answer: (body: BodyOf<'answerCommand'>) => Promise<unknown>,
  ): Promise<void> {
    try {
      if (!this.handlers.addPlayers) throw new Error('this server admits no players to a running session');
      await this.handlers.addPlayers(sessionId, added);
    } catch (error) {
      await answer({ status: 'refused', reason: messageOf(error) });
      return;
    }
    await answer({ status: 'done' });
  }
}

/** Other calls need no registration: the server key makes them. */
function needsServerToken(name: EndpointName): boolean {
  const { callers } = endpointOf(name);
  return callers.includes('server') && !callers.includes('fleet');
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
