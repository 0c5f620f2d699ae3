import { BackfillModel } from './backfill-model.js';
import { ticketOf } from './fixtures.js';
import {
  allow,
  expectSame,
  insist,
  isOpen,
  NotAllowedByModel,
  serves,
  type ModelMatch,
  type ModelServer,
  type ModelSession,
} from './model-rows.js';
import { lifeServers, playersOf, type LifeAnswer, type LifeRequest } from './requests.js';
import { matchLimitMs, placementTimeouts, type LifeSummary } from './view.js';

const { answerMs, silenceMs, massSilenceMs, avoidMs } = placementTimeouts;
type Sweep =
  'withdraw unanswered' | 'lose silent' | 'lose overdue' | 'give up' | 'end backfills' | 'withdraw seats';

const lateMs = 3_600_000;
const longMs = 7_200_000;
const resumeMs = 15_000;
const giveUpMs = 60_000;

/**
 * The allowed behaviour of a match, its sessions and their servers, implemented independently of the decisions: it takes a
 * request with its answer, and rejects an answer that is not allowed. Where the stores have a choice (a server, the rows of
 * a sweep), it follows theirs if it is allowed.
 */
export class LifeModel extends BackfillModel {
  clone(): LifeModel {
    const copy = new LifeModel();
    Object.assign(copy, structuredClone({ ...this }));
    return copy;
  }

  /** The session that a request is about, as its sender knows it before sending; null: none. */
  target(request: LifeRequest): string | null {
    if (!('matchId' in request)) return null;
    const back = request.do === 'report' ? request.back : 0;
    const sessions = this.sessions.filter(({ matchId }) => matchId === request.matchId);
    return sessions.at(-1 - back)?.sessionId ?? null;
  }

  /** Whether a report arrives before the answer that created its session: then that answer is processed first. */
  precedesAnswer(request: LifeRequest, target: string | null): boolean {
    const session = this.sessions.find(({ sessionId }) => sessionId === target);
    return request.do === 'report' && session?.state === 'reserved' && session.command === 'pending';
  }

  /** Applies the answer that a report implies. */
  takeImplied(target: string | null, now: number): void {
    const session = this.sessions.find(({ sessionId }) => sessionId === target);
    if (session) this.reply(session, 'create', now);
  }

  /**
   * Applies a request with its answer.
   *
   * @param alone whether no other request was under way: then a sweep takes all that is due, and skips no lock
   * @throws NotAllowedByModel
   */
  take(request: LifeRequest, target: string | null, answer: LifeAnswer, now: number, alone: boolean): void {
    const session = this.sessions.find(({ sessionId }) => sessionId === target);
    switch (request.do) {
      case 'register':
        return this.register(request, answer, now);
      case 'heartbeat':
        return allow(answer, this.heartbeat(request, now));
      case 'drain':
      case 'undrain':
      case 'leave':
        return allow(answer, this.quit(request.do, request.serverId, now));
      case 'form':
        return allow(answer, this.form(request.matchId));
      case 'begin':
        return this.begin(request.matchId, now);
      case 'place':
        return this.place(request.matchId, answer, now, alone);
      case 'create':
      case 'refuse':
        return allow(answer, session ? this.reply(session, request.do, now) : 'unknown');
      case 'report': {
        const digest = `${request.winner} ${request.leaver}`;
        return allow(answer, session ? this.report(session, digest, now) : 'unknown');
      }
      case 'call off':
        return allow(answer, session ? this.callOff(session, now) : 'unknown');
      case 'leave match':
        return allow(answer, this.leaveMatch(request.matchId, request.nth, now));
      case 'rate':
        return allow(answer, this.rate(request.matchId, now));
      case 'void':
        return allow(answer, this.void(request.matchId, now));
      case 'ask':
      case 'withdraw backfill':
      case 'take seats':
      case 'order seats':
      case 'let in':
      case 'turn away':
        return this.takeBackfill(request, session, answer, now);
      default:
        return this.sweep(request.do, answer.ids ?? [], now, alone);
    }
  }

  private register(
    { serverId, resume }: Extract<LifeRequest, { do: 'register' }>,
    answer: LifeAnswer,
    now: number,
  ): void {
    const slots = lifeServers.get(serverId) ?? 1;
    const known = this.servers.get(serverId);
    const registration = (known?.registration ?? 0) + 1;
    this.servers.set(serverId, { state: 'ready', slots, registration, heartbeatAt: now, heardSince: now });
    const resumed: string[] = [];
    for (const session of this.openOn(serverId)) {
      if (resume && session.state === 'live') {
        session.registration = registration;
        resumed.push(session.sessionId);
      } else this.lose(session, now);
    }
    expectSame(answer.ids ?? [], resumed, 'resumed sessions');
  }

  private heartbeat({ serverId, names }: Extract<LifeRequest, { do: 'heartbeat' }>, now: number): string {
    const server = this.servers.get(serverId);
    if (!server || !serves(server)) return 'none';
    const before = now - silenceMs;
    if (server.heartbeatAt < before) server.heardSince = now;
    server.heartbeatAt = Math.max(server.heartbeatAt, now);
    for (const session of this.openOn(serverId)) {
      if (session.liveAt === null) continue;
      if (names === 'all') session.omittedAt = session.liveAt < before ? null : session.omittedAt;
      else if (session.omittedAt !== null && session.omittedAt < before) this.lose(session, now);
      else if (session.liveAt < before) session.omittedAt ??= now;
    }
    return server.state;
  }

  private quit(how: 'drain' | 'undrain' | 'leave', serverId: string, now: number): string {
    const server = this.servers.get(serverId);
    if (!server) return 'none';
    if (how === 'drain' && server.state === 'ready') server.state = 'draining';
    if (how === 'undrain' && server.state === 'draining') server.state = 'ready';
    if (how === 'leave' && server.state !== 'left') {
      server.state = 'left';
      for (const session of this.openOn(serverId)) this.lose(session, now);
    }
    return server.state;
  }

  private form(matchId: string): string {
    if (this.matches.has(matchId)) return 'decided';
    if (playersOf(matchId).some((player) => this.held.has(player))) return 'busy';
    const none = { waits: null, closedAt: 0, endedAt: 0, rateJobs: 0, ratings: 0 };
    const players = playersOf(matchId).map((playerId, team) => {
      const fresh = { backfillId: null, left: false };
      return { playerId, team, ticketId: ticketOf(playerId), ...fresh };
    });
    this.matches.set(matchId, { state: 'formed', players, ...none });
    for (const player of playersOf(matchId)) this.held.set(player, matchId);
    return 'formed';
  }

  private begin(matchId: string, now: number): void {
    const match = this.matches.get(matchId);
    if (match?.state === 'formed') match.waits ??= { attempts: 0, giveUpAt: now + giveUpMs };
  }

  private place(matchId: string, { outcome, ids = [] }: LifeAnswer, now: number, alone: boolean): void {
    const match = this.matches.get(matchId);
    const wanted = match?.state === 'formed' && match.waits !== null && !this.hasServer(matchId);
    if (outcome === 'settled') return insist(!wanted || !alone, `${matchId} wants a server`);
    // Two who ask at once may be one entry of a batch, and get the same answer.
    if (!alone && this.sessions.some(({ sessionId, state }) => sessionId === ids[1] && state === 'reserved'))
      return;
    insist(wanted, `${matchId} wants no server`);
    if (match?.waits) match.waits.attempts += 1;
    const free = this.freeServers(matchId, now);
    if (outcome === 'none-free') return insist(free.length === 0, `a server is free for ${matchId}`);
    const [serverId = '', sessionId = ''] = ids;
    const least = Math.min(...free.map(({ load }) => load));
    const chosen = free.find((server) => server.serverId === serverId && server.load === least);
    if (!chosen) throw new NotAllowedByModel(`${serverId} is not the server for ${matchId}`);
    const { registration } = chosen;
    const fresh = { liveAt: null, closedAt: null, omittedAt: null, digest: null };
    const state = { state: 'reserved', command: 'pending', answerBy: now + answerMs } as const;
    this.sessions.push({ sessionId, matchId, serverId, registration, ...state, ...fresh });
  }

  private freeServers(matchId: string, now: number) {
    const avoided = this.sessions
      .filter((each) => each.matchId === matchId && (each.closedAt ?? -Infinity) > now - avoidMs)
      .map(({ serverId }) => serverId);
    return [...this.servers].flatMap(([serverId, { state, slots, heartbeatAt, registration }]) => {
      const used = this.openOn(serverId).length;
      const fits = state === 'ready' && heartbeatAt > now - silenceMs && used < slots;
      return fits && !avoided.includes(serverId) ? [{ serverId, registration, load: used / slots }] : [];
    });
  }

  private reply(session: ModelSession, how: 'create' | 'refuse', now: number): string {
    const said = how === 'create' ? 'done' : 'refused';
    if (session.command === said) return 'again';
    if (session.command !== 'pending') return 'withdrawn';
    if (how === 'create') {
      if (!this.isCurrent(session)) return 'withdrawn';
      const match = this.match(session.matchId);
      insist(match.state === 'formed', `${session.matchId} is ${match.state} and gets a server`);
      Object.assign(match, { state: 'placed', waits: null });
      Object.assign(session, { state: 'live', liveAt: now, command: said });
    } else Object.assign(session, { state: 'refused', closedAt: now, command: said });
    return 'accepted';
  }

  private report(session: ModelSession, digest: string, now: number): string {
    if (session.digest === digest) return 'again';
    if (session.state === 'reserved' && session.command === 'pending' && this.isCurrent(session))
      this.reply(session, 'create', now);
    const { matchId } = session;
    if (session.digest === null && (session.state === 'live' || this.countsLate(session, now))) {
      if (session.state === 'live' && !this.isCurrent(session)) return 'superseded';
      const match = this.match(matchId);
      Object.assign(session, { state: 'ended', closedAt: session.closedAt ?? now, digest });
      Object.assign(match, { state: 'ended', endedAt: now, rateJobs: match.rateJobs + 1 });
      this.takeBackOutstanding(matchId);
      return 'counted';
    }
    this.conflicts.add(`${matchId} ${digest}`);
    return session.digest === null ? 'withdrawn' : 'contradicts';
  }

  private countsLate({ sessionId, matchId, state, liveAt }: ModelSession, now: number): boolean {
    const { state: matchState, closedAt } = this.match(matchId);
    if (state !== 'lost' || liveAt === null || matchState !== 'abandoned' || now > closedAt + lateMs)
      return false;
    const replaced = this.sessions.some(
      (each) =>
        each.matchId === matchId && each.sessionId !== sessionId && (isOpen(each) || each.state === 'ended'),
    );
    const ratedSince = [...this.matches].some(
      ([other, { ratings, endedAt }]) =>
        ratings > 0 &&
        endedAt > closedAt &&
        this.playersOf(other).some((player) => this.playersOf(matchId).includes(player)),
    );
    const plays = this.playersOf(matchId).some((player) => (this.held.get(player) ?? matchId) !== matchId);
    return !replaced && !ratedSince && !plays;
  }

  private callOff(session: ModelSession, now: number): string {
    if (session.state === 'abandoned') return 'again';
    if (session.state !== 'live') return 'withdrawn';
    if (!this.isCurrent(session)) return 'superseded';
    Object.assign(session, { state: 'abandoned', closedAt: now });
    this.abandon(session.matchId, now);
    return 'abandoned';
  }

  private leaveMatch(matchId: string, nth: number, now: number): string {
    const match = this.matches.get(matchId);
    const player = playersOf(matchId)[nth];
    if (!match || player === undefined) return 'unknown';
    if (match.state === 'abandoned' && match.players.some((each) => each.playerId === player && each.left))
      return 'left';
    if (match.state === 'placed') return this.leaveSilent(matchId, match, player, now);
    if (this.hasServer(matchId)) return 'has-server';
    if (match.state !== 'formed') return 'over';
    if (!match.waits || match.waits.attempts === 0) return 'too-soon';
    for (const each of match.players) if (each.playerId === player) each.left = true;
    this.abandon(matchId, now);
    return 'left';
  }

  private leaveSilent(matchId: string, { players }: ModelMatch, playerId: string, now: number): string {
    const player = players.find((each) => each.playerId === playerId);
    if (player?.left) return 'left';
    const session = this.sessions.find((each) => each.matchId === matchId && each.state === 'live');
    const { heartbeatAt } = this.servers.get(session?.serverId ?? '') ?? { heartbeatAt: now };
    const isLong = now >= (session?.liveAt ?? now) + longMs;
    if (!player || (heartbeatAt >= now - silenceMs && !isLong)) return 'has-server';
    player.left = true;
    if (this.held.get(playerId) === matchId) this.held.delete(playerId);
    this.tell(matchId, [player.ticketId]);
    return 'left';
  }

  private rate(matchId: string, now: number): string {
    const match = this.matches.get(matchId);
    if (!match || match.state === 'formed' || match.state === 'placed') return 'not-ended';
    if (match.state !== 'ended') return 'closed';
    Object.assign(match, { state: 'rated', closedAt: now, ratings: match.ratings + 1 });
    this.end(matchId, match);
    return 'rated';
  }

  private void(matchId: string, now: number): string {
    const match = this.matches.get(matchId);
    if (!match) return 'unknown';
    if (match.state === 'void') return 'again';
    if (match.state !== 'ended' && match.state !== 'rated') return 'not-over';
    const wasRated = match.state === 'rated';
    Object.assign(match, { state: 'void', closedAt: now });
    if (wasRated) return 'void';
    this.end(matchId, match);
    return 'dropped';
  }

  private sweep(what: Sweep, ids: readonly string[], now: number, alone: boolean): void {
    const due = this.due(what, now);
    for (const id of ids) {
      const act = due.get(id);
      if (!act) throw new NotAllowedByModel(`${what} took ${id}, which is not due`);
      act();
    }
    if (alone) expectSame(ids, [...due.keys()], what);
  }

  /** The rows that a sweep may take, by id. */
  private due(what: Parameters<LifeModel['sweep']>[0], now: number): Map<string, () => void> {
    switch (what) {
      case 'withdraw unanswered':
        return new Map(
          this.sessions
            .filter(({ state, answerBy }) => state === 'reserved' && answerBy <= now)
            .map((session) => [
              session.matchId,
              () => Object.assign(session, { state: 'unanswered', command: 'withdrawn', closedAt: now }),
            ]),
        );
      case 'end backfills':
      case 'withdraw seats':
        return this.dueOfBackfills(what, now);
      case 'lose silent':
        return new Map(
          [...this.servers]
            .filter(([id, server]) => serves(server) && this.isLost(id, server, now))
            .map(([id, server]) => [
              id,
              () => {
                server.state = 'lost';
                for (const session of this.openOn(id)) this.lose(session, now);
              },
            ]),
        );
      case 'lose overdue':
        return new Map(
          this.sessions
            .filter(({ state, liveAt }) => state === 'live' && (liveAt ?? now) < now - matchLimitMs)
            .map((session) => [session.sessionId, () => this.lose(session, now)]),
        );
      case 'give up':
        return new Map(
          [...this.matches]
            .filter(([id, { waits }]) => waits && waits.giveUpAt <= now && !this.hasServer(id))
            .map(([id]) => [id, () => this.abandon(id, now)]),
        );
    }
  }

  /** Whether a server was silent for too long while one could be heard. Both servers are of one region, as are all rules. */
  private isLost(serverId: string, { heartbeatAt }: ModelServer, now: number): boolean {
    const others = [...this.servers].flatMap(([id, each]) => (id !== serverId && serves(each) ? [each] : []));
    const newest = Math.max(heartbeatAt, ...others.map((other) => other.heartbeatAt));
    const heardSince = others.map((other) =>
      other.heartbeatAt > now - silenceMs ? other.heardSince : Infinity,
    );
    const silentMs =
      newest < now - massSilenceMs
        ? now - heartbeatAt
        : newest - Math.max(heartbeatAt, Math.min(Infinity, ...heardSince));
    const isPlayed = this.openOn(serverId).some(({ state }) => state === 'live');
    return heartbeatAt < now - silenceMs && silentMs > (isPlayed ? resumeMs : silenceMs);
  }

  private lose(session: ModelSession, now: number): void {
    const wasLive = session.state === 'live';
    if (!wasLive) session.command = 'withdrawn';
    Object.assign(session, { state: 'lost', closedAt: now });
    if (wasLive) this.abandon(session.matchId, now);
  }

  private abandon(matchId: string, now: number): void {
    const match = this.match(matchId);
    insist(
      match.state === 'formed' || match.state === 'placed',
      `${matchId} is ${match.state}: not abandoned`,
    );
    Object.assign(match, { state: 'abandoned', closedAt: now, waits: null });
    this.takeBackOutstanding(matchId);
    this.end(matchId, match);
  }

  /** Releases the players of a match; its tickets are notified. */
  private end(matchId: string, match: ModelMatch): void {
    for (const [player, holder] of this.held) if (holder === matchId) this.held.delete(player);
    this.tell(
      matchId,
      match.players.map(({ ticketId }) => ticketId),
    );
  }

  /** The expected content of the stores, in a comparable form. */
  summary(): LifeSummary {
    const matches = [...this.matches];
    const times = (of: (match: ModelMatch) => number): string[] =>
      matches.flatMap(([id, match]) => Array.from({ length: of(match) }, () => id)).sort();
    return {
      matches: Object.fromEntries(matches.map(([id, { state }]) => [id, state])),
      servers: Object.fromEntries(
        [...this.servers].map(([id, { state, slots }]) => [id, `${state} ${slots}`]),
      ),
      sessions: Object.fromEntries(
        this.sessions.map(({ sessionId, matchId, serverId, state, command }) => [
          sessionId,
          `${matchId} on ${serverId}: ${state}, ${command}`,
        ]),
      ),
      held: Object.fromEntries(this.held),
      waiting: matches.flatMap(([id, { waits }]) => (waits ? [id] : [])).sort(),
      results: this.sessions.flatMap(({ matchId, digest }) => (digest === null ? [] : [matchId])).sort(),
      conflicts: [...this.conflicts].map((each) => each.split(' ')[0] ?? '').sort(),
      ratings: times(({ ratings }) => ratings),
      rateJobs: times(({ rateJobs }) => rateJobs),
      ...this.seats(),
    };
  }
}
