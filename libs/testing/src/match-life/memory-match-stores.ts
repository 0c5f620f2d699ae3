import { outboxJobsOf } from '@muster/contracts';
import {
  message,
  chooseServers,
  decideAnswer,
  decideCallOff,
  decideEnd,
  decideFinish,
  decideForm,
  decideGiveUp,
  decideLeave,
  decideLoss,
  decideOmission,
  decideOvertime,
  decideRating,
  decideReservation,
  demandOf,
  decideResult,
  decideSeat,
  decideSilence,
  decideSilenced,
  decideUnanswered,
  decideVoid,
  decideWait,
  defaultPlacementTimeoutSeconds,
  groupsOf,
  heardOf,
  isLate,
  isOverloaded,
  mayPlace,
  openRegions,
  policyNamed,
  ratingDue,
  serverIdTaken,
  shortageOf,
  silentMs,
  tickLoadOf,
  type AnswerResult,
  type FillResult,
  type FormedMatch,
  type FormResult,
  type FreeServer,
  type LateFacts,
  type Message,
  type PlacementTimeouts,
  type PlaceResult,
  type ReceivedResult,
  type ReportedSession,
  type ResultReceived,
  type SeatFill,
  type ServerIdentity,
  type ServerStanding,
  type SessionFacts,
  type UnplacedMatch,
  type VoidResult,
} from '@muster/domain';
import { MemoryBackfills } from './memory-backfills.js';
import { MemoryRows, ruleOf, type ServerRow, type SessionRow } from './memory-rows.js';
import type { MatchLifeStores, MatchLifeView } from './stores.js';

/** The stores of a match's life in memory: the same decisions as in Postgres, applied to objects one call at a time. */
export class MemoryMatchStores implements MatchLifeStores {
  private readonly rows = new MemoryRows();
  readonly backfills = new MemoryBackfills(this.rows);

  async form(match: FormedMatch): Promise<FormResult> {
    const { matchId, players } = match;
    const { livePlayers, verdicts, matches } = this.rows;
    const held = players.map(({ playerId }) => playerId).filter((id) => livePlayers.has(id));
    const { outcome, jobs } = decideForm({ verdict: verdicts.get(matchId) ?? null, held }, match);
    if (outcome.outcome !== 'formed') return outcome;
    verdicts.set(matchId, 'formed');
    matches.set(matchId, {
      formed: match,
      players: players.map(({ playerId, team, ticketId, mu, role = null }) => ({
        playerId,
        team,
        ticketId,
        mu,
        role,
        backfillId: null,
        joinedAt: null,
        leftAt: null,
      })),
      region: null,
      state: 'formed',
      blame: [],
      endedAt: null,
      closedAt: null,
      closeReason: null,
    });
    for (const { playerId } of players) livePlayers.set(playerId, matchId);
    this.rows.jobs.push(...outboxJobsOf(jobs));
    return outcome;
  }

  async seat(seat: SeatFill, now: number): Promise<FillResult> {
    const outcome = this.rows.carryOut(decideSeat(this.backfills.seating(seat), seat, now));
    if (outcome.outcome === 'filled') this.rows.verdicts.set(seat.proposalId, 'formed');
    return outcome;
  }

  readonly placements: MatchLifeStores['placements'] = {
    register: async (registration, now, heardAfter = Infinity) => {
      const { resume, ...server } = registration;
      const { servers } = this.rows;
      const known = servers.get(server.serverId);
      const { host, port } = server;
      if (
        known &&
        serves(known) &&
        (known.host !== host || known.port !== port) &&
        known.heardAt > heardAfter
      )
        throw serverIdTaken(known, known.heardAt, heardAfter, now);
      const open = this.openOn(server.serverId);
      const resumed = open.filter(({ state, sessionId }) => state === 'live' && resume.includes(sessionId));
      const incarnation = (known?.incarnation ?? 0) + 1;
      servers.set(server.serverId, {
        ...server,
        state: known?.drainedByOperator ? 'draining' : 'ready',
        drainedByOperator: known?.drainedByOperator ?? false,
        incarnation,
        cpuLoad: 0,
        tickLoad: null,
        overloaded: false,
        commandSeq: known?.commandSeq ?? 0,
        heardBy: null,
        heardAt: now,
        heardSince: now,
      });
      for (const session of open)
        if (!resumed.includes(session)) this.lose(session, message('session.restarted'), now);
      for (const session of resumed) session.incarnation = incarnation;
      return { incarnation, resumed: resumed.map(({ sessionId }) => sessionId) };
    },
    heartbeat: async ({ serverId, incarnation }, request, forgottenBefore, now) => {
      const { cpuLoad, sessions, load = 'under' } = request;
      const server = this.rows.servers.get(serverId);
      if (!server || server.incarnation !== incarnation || !serves(server)) return null;
      Object.assign(server, {
        cpuLoad,
        tickLoad: tickLoadOf(request),
        overloaded: isOverloaded(server.overloaded, load),
        heardAt: Math.max(server.heardAt, now),
        heardSince: server.heardAt < forgottenBefore ? now : server.heardSince,
      });
      const standing = this.standing(serverId);
      for (const session of sessions ? this.openOn(serverId) : []) {
        const { liveAt, omittedAt, sessionId } = session;
        if (liveAt === null) continue;
        const named = sessions?.includes(sessionId) ?? true;
        const decided = decideOmission({ liveAt, omittedAt }, named, forgottenBefore, now);
        if (decided === 'lost') this.lose(session, message('session.forgotten'), now);
        else session.omittedAt = decided.omittedAt;
      }
      return standing;
    },
    drain: async (serverId, by = 'server') => {
      const server = this.rows.servers.get(serverId);
      if (server?.state === 'ready') server.state = 'draining';
      if (server && by === 'operator') server.drainedByOperator = true;
      return this.standing(serverId);
    },
    undrain: async (serverId) => {
      const server = this.rows.servers.get(serverId);
      if (server?.state === 'draining') server.state = 'ready';
      if (server) server.drainedByOperator = false;
      return this.standing(serverId);
    },
    leave: async (serverId, now) => {
      const server = this.rows.servers.get(serverId);
      if (server && server.state !== 'left') {
        Object.assign(server, { state: 'left', incarnation: server.incarnation + 1 });
        for (const session of this.openOn(serverId)) this.lose(session, message('session.server-left'), now);
      }
      return this.standing(serverId);
    },
    begin: async (matchId, now) => {
      const { matches, placements } = this.rows;
      const match = matches.get(matchId);
      if (match?.state !== 'formed' || placements.has(matchId)) return;
      const seconds = ruleOf(match.formed, 'placementTimeoutSeconds') ?? defaultPlacementTimeoutSeconds;
      placements.set(matchId, {
        attempts: 0,
        dueAt: now,
        giveUpAt: now + seconds * 1000,
        shortage: null,
        told: null,
      });
    },
    place: async (matchId, timeouts, now) => this.place(matchId, timeouts, now),
    giveUp: async (now, limit) =>
      [...this.rows.placements]
        .filter(([id, { giveUpAt }]) => giveUpAt <= now && this.rows.openSessionsOf(id).length === 0)
        .slice(0, limit)
        .map(([id]) => id)
        .filter((id) => this.rows.carryOut(decideGiveUp(this.unplaced(id), now))),
    leaveUnplaced: async (matchId, ticketId, { silenceMs }, now) => {
      const formed = this.rows.matches.get(matchId)?.formed;
      const facts = formed && {
        ...this.unplaced(matchId),
        serverIsSilent: this.rows
          .openSessionsOf(matchId)
          .some(
            ({ state, serverId }) =>
              state === 'live' && (this.rows.servers.get(serverId)?.heardAt ?? now) < now - silenceMs,
          ),
        liveAt: this.rows.openSessionsOf(matchId).find(({ state }) => state === 'live')?.liveAt ?? null,
        leaveMatchAfterSeconds: ruleOf(formed, 'leaveMatchAfterSeconds'),
        formedAt: formed.formedAt,
        leaveAfterSeconds: ruleOf(formed, 'leaveWithoutServerSeconds'),
      };
      const decided = this.rows.carryOut(decideLeave(facts ?? null, ticketId, now));
      return decided.outcome === 'left' ? { ...decided, reason: [decided.reason] } : decided;
    },
    withdrawUnanswered: async (now, limit) =>
      this.rows
        .openSessions()
        .filter(({ state, answerBy }) => state === 'reserved' && answerBy <= now)
        .slice(0, limit)
        .filter((each) => this.rows.carryOut(decideUnanswered(each, this.rows.matchFacts(each.matchId), now)))
        .map(({ matchId }) => matchId),
    loseSilent: async (timeouts, now, limit) => this.loseSilent(timeouts, now, limit),
    loseOverdue: async (liveBefore, now, limit) =>
      this.rows
        .openSessions()
        .filter(({ state, liveAt }) => state === 'live' && liveAt !== null && liveAt < liveBefore)
        .slice(0, limit)
        .filter((each) => this.rows.carryOut(decideOvertime(each, this.rows.matchFacts(each.matchId), now)))
        .map(({ sessionId }) => sessionId),
    answer: async (server, seq, reply, now) => this.answer(server, seq, reply, now),
    receive: async (sessionId, server, result, now) => this.receive(sessionId, server, result, now),
    finish: async (sessionId, server, playerIds, now) => {
      const session = this.rows.sessions.get(sessionId);
      const hosted = session ? { session, match: this.rows.matchFacts(session.matchId) } : null;
      return this.rows.carryOut(decideFinish(hosted, server, playerIds, now));
    },
    endMatch: async (matchId, request, now) => {
      if (!this.rows.matches.has(matchId)) return { outcome: 'unknown' };
      const [session = null] = this.rows.openSessionsOf(matchId);
      return this.rows.carryOut(decideEnd({ match: this.rows.matchFacts(matchId), session }, request, now));
    },
    callOff: async (sessionId, server, calledOff, now) => {
      const session = this.rows.sessions.get(sessionId);
      const hosted = session ? { session, match: this.rows.matchFacts(session.matchId) } : null;
      return this.rows.carryOut(decideCallOff(hosted, server, calledOff, now));
    },
  };

  async rateMatch(matchId: string, now: number): Promise<'rated' | 'unratable' | 'closed' | 'not-ended'> {
    const match = this.rows.matches.has(matchId) ? this.rows.matchFacts(matchId) : null;
    const due = ratingDue(match);
    if (!match || due !== 'due') return due === 'closed' ? 'closed' : 'not-ended';
    this.rows.ratings.push({ matchId, at: this.rows.match(matchId).endedAt ?? now });
    return this.rows.carryOut(decideRating(match, { outcome: 'rated' }, now)).outcome;
  }

  async voidMatch(matchId: string, now: number): Promise<VoidResult['outcome']> {
    const match = this.rows.matches.has(matchId)
      ? {
          ...this.rows.matchFacts(matchId),
          pool: this.rows.match(matchId).formed.pool,
          isTakenOut: this.rows.ratings.some((rating) => rating.matchId === matchId),
        }
      : null;
    const said = { by: 'olga', reason: 'a test', rebuildId: `rebuild of ${matchId}` };
    return this.rows.carryOut(decideVoid(match, said, now)).outcome;
  }

  async view(): Promise<MatchLifeView> {
    const {
      matches,
      servers,
      sessions,
      commands,
      livePlayers,
      placements,
      results,
      conflicts,
      ratings,
      jobs,
    } = this.rows;
    return {
      matches: new Map([...matches].map(([id, { state }]) => [id, state])),
      servers: new Map([...servers].map(([id, { state, slots }]) => [id, { state, slots }])),
      sessions: [...sessions.values()].map(({ sessionId, matchId, serverId, ordinal, state }) => ({
        sessionId,
        matchId,
        serverId,
        ordinal,
        state,
      })),
      commands: commands.map(({ payload, ...command }) => ({
        ...command,
        proposalId: 'proposalId' in payload ? String(payload.proposalId) : null,
      })),
      ...this.backfills.view(),
      livePlayers: new Map(livePlayers),
      waiting: [...placements.keys()],
      results: [...results.values()].map(({ matchId }) => matchId),
      conflicts: conflicts.map(({ matchId }) => matchId),
      ratings: ratings.map(({ matchId }) => matchId),
      jobs: [...jobs],
    };
  }

  private place(matchId: string, timeouts: PlacementTimeouts, now: number): PlaceResult {
    const { matches, placements, sessions } = this.rows;
    const row = matches.get(matchId);
    const waits = placements.get(matchId);
    const hasServer = this.rows.openSessionsOf(matchId).length > 0;
    if (!row || !waits || !mayPlace(row.state, true, hasServer)) return { outcome: 'settled' };
    const policy = policyNamed('placement' in row.formed.rules ? row.formed.rules.placement : null);
    const { formed, players } = row;
    const open = openRegions(formed, Math.max(now, formed.proposedAt));
    const match: UnplacedMatch = { ...formed, ...waits, open, mode: null, players, policy };
    const avoid = [...sessions.values()]
      .filter((each) => each.matchId === matchId && (each.closedAt ?? -Infinity) > now - timeouts.avoidMs)
      .map(({ serverId }) => serverId);
    const wanted = {
      build: match.build ?? '',
      ...open,
      avoid,
      policy,
      demand: demandOf(match),
    };
    const free = this.freeServers(timeouts, now);
    const [pick] = chooseServers([wanted], free);
    if (!pick) {
      const hot = free.filter(
        ({ overloaded, build, region }) =>
          overloaded && build === match.build && (open.anywhere || open.regions.includes(region)),
      );
      return this.rows.carryOut(decideWait(match, shortageOf(waits.shortage, null, hot.length), now));
    }
    const sessionId = `ses_${sessions.size + 1}`;
    const { answerBy, attempts, order, ...kept } = decideReservation(match, pick, sessionId, timeouts, now);
    Object.assign(waits, { attempts, dueAt: answerBy + 1_000, shortage: null });
    const fresh = { host: null, port: null, reason: null, liveAt: null, closedAt: null, omittedAt: null };
    sessions.set(sessionId, { ...kept, ...fresh, answerBy, state: 'reserved' });
    this.rows.order(kept.serverId, 'create-session', sessionId, order);
    return { outcome: 'reserved', serverId: kept.serverId, sessionId, answerBy };
  }

  private freeServers({ silenceMs }: PlacementTimeouts, now: number): FreeServer[] {
    return [...this.rows.servers.values()].flatMap((server) => {
      const taken = this.openOn(server.serverId).map(({ ordinal }) => ordinal);
      const ordinals = Array.from({ length: server.slots }, (_, i) => i).filter((i) => !taken.includes(i));
      const heard = server.heardAt > now - silenceMs;
      return server.state === 'ready' && heard && ordinals.length > 0
        ? [{ ...server, used: taken.length, ordinals }]
        : [];
    });
  }

  private answer(
    server: ServerIdentity,
    seq: number,
    reply: Parameters<typeof decideAnswer>[2],
    now: number,
  ): AnswerResult {
    const { commands, sessions, servers } = this.rows;
    const command = commands.find((each) => each.serverId === server.serverId && each.seq === seq);
    const session = command && sessions.get(command.sessionId);
    const host = servers.get(server.serverId);
    if (!command || !session || !host) return { outcome: 'unknown' };
    const seats = command.kind === 'add-players' ? this.backfills.seatCommand(command, session, host) : null;
    const facts = { ...command, session, match: this.rows.matchFacts(session.matchId), server: host, seats };
    return this.rows.carryOut(decideAnswer(facts, server, reply, now));
  }

  private receive(
    sessionId: string,
    server: ServerIdentity,
    result: ReceivedResult,
    now: number,
  ): ResultReceived {
    const decided = this.rows.carryOut(decideResult(this.reported(sessionId), server, result, now));
    if (decided.outcome === 'unanswered') {
      this.answer(server, decided.seq, { status: 'done' }, now);
      return this.receive(sessionId, server, result, now);
    }
    if (decided.outcome !== 'withdrawn') return decided;
    const { outcome, state, why } = decided;
    return { outcome, state, ...(why === null ? {} : { why: [why] }) };
  }

  private reported(sessionId: string): ReportedSession | null {
    const { sessions, results, commands } = this.rows;
    const session = sessions.get(sessionId);
    if (!session) return null;
    const order = commands.find(
      (each) => each.sessionId === sessionId && each.kind === 'create-session' && each.state === 'pending',
    );
    const counted = results.get(sessionId)?.digest ?? null;
    return {
      session,
      counted,
      unansweredSeq: order?.seq ?? null,
      rules: null,
      match: this.rows.matchFacts(session.matchId),
      late: isLate(session, counted) ? this.lateFacts(session) : null,
    };
  }

  private lateFacts({ sessionId, matchId }: SessionFacts): LateFacts {
    const { formed, state, closedAt, players } = this.rows.match(matchId);
    const others = [...this.rows.sessions.values()].filter(
      (each) => each.matchId === matchId && each.sessionId !== sessionId,
    );
    const ids = new Set(players.map(({ playerId }) => playerId));
    const ratedSince = this.rows.ratings.some(
      (rating) =>
        rating.at > (closedAt ?? Infinity) &&
        this.rows.match(rating.matchId).players.some(({ playerId }) => ids.has(playerId)),
    );
    return {
      matchState: state,
      closedAt,
      lateResultSeconds: ruleOf(formed, 'lateResultSeconds'),
      replaced: others.some((each) => ['reserved', 'live', 'ended'].includes(each.state)),
      ratedSince,
      playsElsewhere: [...ids].some((id) => (this.rows.livePlayers.get(id) ?? matchId) !== matchId),
    };
  }

  private unplaced(matchId: string): Parameters<typeof decideGiveUp>[0] {
    return {
      match: this.rows.matchFacts(matchId),
      attempts: this.rows.placements.get(matchId)?.attempts ?? null,
      hasServer: this.rows.openSessionsOf(matchId).length > 0,
    };
  }

  private loseSilent(timeouts: PlacementTimeouts, now: number, limit: number): string[] {
    const awaited = [...this.rows.servers.values()].filter(serves);
    const due = awaited.flatMap((server) => {
      const heard = groupsOf(server, awaited).map((group) => heardOf(group, now, timeouts));
      const sessions = this.openOn(server.serverId).map((session) => ({
        ...session,
        resumeSeconds: ruleOf(this.rows.match(session.matchId).formed, 'resumeSeconds'),
      }));
      const decided = decideSilence(silentMs(server.heardAt, heard, now, timeouts), sessions, timeouts);
      return decided.isLost || decided.sessionIds.length > 0 ? [{ server, ...decided }] : [];
    });
    for (const { server, isLost, sessionIds } of due.slice(0, limit)) {
      if (isLost) Object.assign(server, { state: 'lost', incarnation: server.incarnation + 1 });
      for (const session of this.openOn(server.serverId)) {
        if (!sessionIds.includes(session.sessionId)) continue;
        const match = this.rows.matchFacts(session.matchId);
        const { heardAt } = server;
        const reason = message('session.server-silent');
        this.rows.carryOut(
          isLost
            ? decideLoss(session, match, reason, now, heardAt)
            : decideSilenced(session, match, heardAt, now),
        );
      }
    }
    return due.slice(0, limit).map(({ server }) => server.serverId);
  }

  private openOn(serverId: string): SessionRow[] {
    return this.rows.openSessions().filter((session) => session.serverId === serverId);
  }

  private standing(serverId: string): ServerStanding | null {
    const server = this.rows.servers.get(serverId);
    return server ? { state: server.state, slotsInUse: this.openOn(serverId).length } : null;
  }

  private lose(session: SessionFacts, reason: Message, now: number): void {
    this.rows.carryOut(decideLoss(session, this.rows.matchFacts(session.matchId), reason, now));
  }
}

const serves = ({ state }: ServerRow): boolean => state === 'ready' || state === 'draining';
