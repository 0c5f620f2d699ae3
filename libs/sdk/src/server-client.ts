import type { AnswerOf, BodyOf, CommandView, PlayersAdded } from '@muster/contracts';
import { Caller, pause } from './caller.js';
import { MusterProblem } from './problem.js';
import { makesNoSense, mayPass, outOfSight, pauseMs, type CallLimits } from './retry.js';
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

/** What happens on sessions is gathered for so long, in milliseconds. */
const gatherMs = 200;

/**
 * What a dedicated server needs: register, say that it lives, take commands, report results. It calls out only, so it works
 * behind NAT. It registers again by itself when the coordinator lost sight of it, and keeps the sessions that still run.
 */
export class ServerClient {
  private readonly sessions = new Set<string>();
  private readonly registrar: Caller;
  private readonly caller: Caller;
  private readonly ended = new AbortController();
  private readonly log = new RosterLog();
  private loops: Promise<void>[] = [];
  private serverToken = '';
  private heartbeatMs = 2_500;
  private cursor = 0;
  private registering: Promise<void> | null = null;

  constructor(
    private readonly options: { url: string; serverKey: string; server: ServerDescription },
    private readonly handlers: SessionHandlers,
  ) {
    this.registrar = new Caller(options.url, () => options.serverKey);
    this.caller = new Caller(options.url, () => this.serverToken);
  }

  /** Registers, and from then on heartbeats and takes commands until `stop`. */
  async start(): Promise<void> {
    await this.register();
    this.loops = [this.beat(), this.obey(), this.tell()];
  }

  /**
   * Reports how a session ended. Tried again until the coordinator has taken it, or for as long as `limits` say; repeating it
   * never counts twice.
   *
   * @throws MusterProblem when it refuses for good (the session was lost, or another result is known)
   */
  report(
    sessionId: string,
    result: ResultReport,
    limits: CallLimits = {},
  ): Promise<{ matchId: string; counted: boolean }> {
    return this.conclude(sessionId, limits, (each) =>
      this.caller.call('reportResult', { params: { sessionId }, body: result, timeoutMs: 10_000, ...each }),
    );
  }

  /**
   * Ends a session without a result: nobody is rated, all are free. Says who never connected or left for good; with `remake`
   * the others are put back into the queue. Tried again like a report.
   *
   * @throws MusterProblem when the coordinator refuses for good
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

  /**
   * Asks for players in the place of those who left for good; they come by `addPlayers`. Tried again safely: it asks once.
   *
   * @throws MusterProblem when there are no such seats, the queue does not fill matches up, or the session is over
   */
  backfill(
    sessionId: string,
    { leavers = [], ...wanted }: BackfillWanted,
    limits: CallLimits = {},
  ): Promise<Backfill> {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { ...wanted, leavers: [...leavers] };
    return this.call(() =>
      this.caller.call('requestBackfill', {
        params: { sessionId },
        body,
        headers,
        timeoutMs: 10_000,
        ...limits,
      }),
    );
  }

  /** How a request for players stands. */
  readBackfill(sessionId: string, backfillId: string, limits: CallLimits = {}): Promise<Backfill> {
    return this.call(() =>
      this.caller.call('readBackfill', { params: { sessionId, backfillId }, ...limits }),
    );
  }

  /** Nobody else is to come. @returns the request as it ended: seats that were taken before stay taken */
  withdrawBackfill(sessionId: string, backfillId: string, limits: CallLimits = {}): Promise<Backfill> {
    return this.call(() =>
      this.caller.call('withdrawBackfill', { params: { sessionId, backfillId }, ...limits }),
    );
  }

  /**
   * Says what happens on a session: who joins, leaves, dies, changes team, scores. Returns at once; it is told in order and
   * once, when the coordinator can be reached. Orders that keep the match fair come by `balance`.
   */
  happened(sessionId: string, happening: Happening): void {
    this.log.add(sessionId, happening);
  }

  /** A result must not be lost: without limits it is told until the coordinator has taken it or this client ends. */
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
        if (error instanceof MusterProblem && error.status < 500 && !mayPass(error)) {
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

  /** Splits players into even teams, with proof; nothing is stored. Works without a registration, as the next two do. */
  split(body: BodyOf<'splitTeams'>, limits: CallLimits = {}): Promise<AnswerOf<'splitTeams'>> {
    return this.registrar.call('splitTeams', { body, ...limits });
  }

  /** The best two teams of every size, the others on the bench. */
  splits(body: BodyOf<'splitPool'>, limits: CallLimits = {}): Promise<AnswerOf<'splitPool'>> {
    return this.registrar.call('splitPool', { body, ...limits });
  }

  /** The fewest swaps that make two teams even enough. */
  rebalance(body: BodyOf<'rebalanceTeams'>, limits: CallLimits = {}): Promise<AnswerOf<'rebalanceTeams'>> {
    return this.registrar.call('rebalanceTeams', { body, ...limits });
  }

  /** Whether the teams of a running match are unbalanced, and who is to move, from a roster that you send. */
  checkBalance(body: BodyOf<'checkBalance'>, limits: CallLimits = {}): Promise<AnswerOf<'checkBalance'>> {
    return this.registrar.call('checkBalance', { body, ...limits });
  }

  /** Where somebody who joins goes, or what becomes of the teams when somebody leaves. */
  placePlayer(body: BodyOf<'placePlayer'>, limits: CallLimits = {}): Promise<AnswerOf<'placePlayer'>> {
    return this.registrar.call('placePlayer', { body, ...limits });
  }

  /** How many bots there should be, and the teams when a game starts. */
  planBots(body: BodyOf<'planBots'>, limits: CallLimits = {}): Promise<AnswerOf<'planBots'>> {
    return this.registrar.call('planBots', { body, ...limits });
  }

  /** The advantage that a team has, and what levers can do about it. */
  askHandicap(body: BodyOf<'askHandicap'>, limits: CallLimits = {}): Promise<AnswerOf<'askHandicap'>> {
    return this.registrar.call('askHandicap', { body, ...limits });
  }

  /** Whether a round calls for new teams, and the best ones of every size to keep. */
  askScramble(body: BodyOf<'askScramble'>, limits: CallLimits = {}): Promise<AnswerOf<'askScramble'>> {
    return this.registrar.call('askScramble', { body, ...limits });
  }

  /** Sides when players have named theirs; show nobody a wish before. */
  askSides(body: BodyOf<'askSides'>, limits: CallLimits = {}): Promise<AnswerOf<'askSides'>> {
    return this.registrar.call('askSides', { body, ...limits });
  }

  /** Takes no new sessions; those that run go on. */
  async drain(limits: CallLimits = {}): Promise<void> {
    await this.call(() => this.caller.call('drainServer', { params: this.params(), ...limits }));
  }

  /** Says goodbye and ends. Sessions that still run are lost: drain first. */
  async stop(): Promise<void> {
    await this.call(() =>
      this.caller.call('leaveServer', { params: this.params(), patienceMs: 2_000, timeoutMs: 2_000 }),
    ).catch(() => undefined);
    this.silence();
    await Promise.all(this.loops);
  }

  /** Ends without a word, as a crash would. For tests. */
  silence(): void {
    this.ended.abort();
  }

  private params(): { serverId: string } {
    return { serverId: this.options.server.serverId };
  }

  private register(): Promise<void> {
    // Heartbeat and command loop may notice at the same time: one registration serves both.
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
            'the coordinator gave it up while this server was out of sight',
          );
        }
      } finally {
        this.registering = null;
      }
    })();
    return this.registering;
  }

  /** Makes a call, once more after registering anew if the coordinator lost sight of this server. */
  private async call<T>(make: () => Promise<T>): Promise<T> {
    const token = this.serverToken;
    try {
      return await make();
    } catch (error) {
      if (this.ended.signal.aborted || !outOfSight(error)) throw error;
      // Another call may have registered meanwhile; once more would lose what was reserved since.
      if (this.serverToken === token) await this.register();
      return make();
    }
  }

  private async beat(): Promise<void> {
    let [waitMs, failures] = [this.heartbeatMs, 0];
    while (!this.ended.signal.aborted) {
      try {
        await pause(waitMs, this.ended.signal);
        // One try each: a body that is sent again later would not name the sessions that have begun since, and they would be lost.
        await this.call(() =>
          this.caller.call('heartbeat', {
            params: this.params(),
            body: { cpuLoad: this.handlers.cpuLoad?.() ?? 0, sessions: [...this.sessions] },
            patienceMs: 0,
            timeoutMs: 3_000,
            trouble: this.handlers.trouble,
            signal: this.ended.signal,
          }),
        );
        [waitMs, failures] = [this.heartbeatMs, 0];
      } catch (error) {
        if (this.ended.signal.aborted) return;
        this.handlers.trouble?.(error);
        // Sooner than the next would be due: a gap of the coordinator's must not become one of this server's.
        waitMs = Math.min(pauseMs(++failures, error, Math.random()), this.heartbeatMs);
      }
    }
  }

  private async obey(): Promise<void> {
    while (!this.ended.signal.aborted) {
      try {
        const query = { after: this.cursor, waitSeconds: 20 };
        const { commands } = await this.call(() =>
          this.caller.call('takeCommands', {
            params: this.params(),
            query,
            patienceMs: 0,
            timeoutMs: 30_000,
            signal: this.ended.signal,
          }),
        );
        for (const command of commands) {
          this.cursor = command.seq;
          void this.obeyOne(command).catch((error: unknown) => this.handlers.trouble?.(error));
        }
      } catch (error) {
        if (this.ended.signal.aborted) return;
        this.handlers.trouble?.(error);
        await pause(300, this.ended.signal).catch(() => undefined);
      }
    }
  }

  private async tell(): Promise<void> {
    while (!this.ended.signal.aborted) {
      await pause(gatherMs, this.ended.signal).catch(() => undefined);
      const sessions = this.log.next();
      if (!sessions || this.ended.signal.aborted) continue;
      try {
        const told = await this.call(() =>
          this.caller.call('tellRoster', {
            params: this.params(),
            body: { sessions },
            timeoutMs: 5_000,
            patienceMs: 0,
            signal: this.ended.signal,
          }),
        );
        this.log.told(told);
        for (const { leftOut } of told.sessions)
          for (const { why } of leftOut)
            this.handlers.trouble?.(new Error(`An event changed nothing: ${why}`));
      } catch (error) {
        if (this.ended.signal.aborted) return;
        if (makesNoSense(error)) {
          const dropped = this.log.refused(sessions);
          if (!dropped) continue;
          this.handlers.trouble?.(
            new Error(`"${dropped.kind}" is not told: ${inWords(error)}`, { cause: error }),
          );
          continue;
        }
        this.handlers.trouble?.(error);
        await pause(500, this.ended.signal).catch(() => undefined);
      }
    }
  }

  private async obeyOne({
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
      this.call(() =>
        this.caller.call('answerCommand', { params, body, timeoutMs: 5_000, signal: this.ended.signal }),
      );
    if (kind === 'add-players' && added) return this.letIn(sessionId, added, answer);
    if (kind === 'balance' && balance) {
      try {
        if (!this.handlers.balance) throw new Error('this server moves nobody');
        await this.handlers.balance(sessionId, balance);
        await answer({ status: 'done' });
      } catch (error) {
        await answer({ status: 'refused', reason: inWords(error) });
      }
      return;
    }
    if (kind !== 'create-session' && kind !== 'end-session')
      return this.refuseUnknown(kind, 'this server does not know the command', answer);
    if (kind === 'end-session') {
      if (this.sessions.delete(sessionId))
        this.handlers.endSession(sessionId, reason ?? 'the coordinator ended it');
      await answer({ status: 'done' });
      return;
    }
    if (!session) return this.refuseUnknown(kind, 'this server does not understand the command', answer);
    try {
      const at = await this.handlers.createSession(sessionId, session);
      this.sessions.add(sessionId);
      await answer({ status: 'done', ...at });
    } catch (error) {
      if (this.sessions.delete(sessionId))
        this.handlers.endSession(sessionId, 'the coordinator had withdrawn it');
      else if (!this.ended.signal.aborted) await answer({ status: 'refused', reason: inWords(error) });
      if (!(error instanceof RefuseSession)) this.handlers.trouble?.(error);
    }
  }

  /** A newer coordinator may order what this version does not know. It is refused, and no session ends for it. */
  private async refuseUnknown(
    kind: string,
    why: string,
    answer: (body: BodyOf<'answerCommand'>) => Promise<unknown>,
  ): Promise<void> {
    this.handlers.trouble?.(new Error(`${why} "${kind}" and refuses it; a newer SDK may be needed`));
    await answer({ status: 'refused', reason: `${why} ${kind}` });
  }

  private async letIn(
    sessionId: string,
    added: PlayersAdded,
    answer: (body: BodyOf<'answerCommand'>) => Promise<unknown>,
  ): Promise<void> {
    try {
      if (!this.handlers.addPlayers) throw new Error('this server lets nobody into a running session');
      await this.handlers.addPlayers(sessionId, added);
    } catch (error) {
      await answer({ status: 'refused', reason: inWords(error) });
      return;
    }
    await answer({ status: 'done' });
  }
}

const inWords = (error: unknown): string => (error instanceof Error ? error.message : String(error));
