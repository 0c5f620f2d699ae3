import {
  type BackfillUpdate,
  conductJobs,
  jobQueues,
  matchEndJobs,
  matchUpdateJobs,
  type OutboxJob,
  RulesOfMatch,
  writeReason,
} from '@muster/contracts';
import { atomically, type Db, enqueueAfterCommit, type Prisma, type Tx } from '@muster/db';
import {
  type AnswerResult,
  type BackfillFound,
  type BackfillRequest,
  type BackfillResult,
  type BackfillState,
  type BackfillView,
  type CommandAnswer,
  message,
  type Message,
  offencesOf,
  type ServerIdentity,
} from '@muster/domain';
import { noteBlame } from '../sessions/blame.store.js';
import { command } from '../sessions/commands.store.js';
import { holdSession } from '../sessions/facts.store.js';

/** A row of `backfill`. */
type Backfill = Prisma.BackfillGetPayload<object>;

/** A ticket that took seats, as the job says it. */
export interface TakenSeat {
  readonly proposalId: string;
  readonly backfillId: string;
  readonly ticketId: string;
}

/** The payload of the command `add-players`. */
export interface SeatOrder extends TakenSeat {
  readonly team: number;
}

const matchOf = (tx: Tx, matchId: string) =>
  tx.match.findUniqueOrThrow({
    where: { id: matchId },
    select: {
      queue: true,
      build: true,
      region: true,
      map: true,
      bots: true,
      rules: true,
      players: { orderBy: { playerId: 'asc' } },
    },
  });
type Match = Awaited<ReturnType<typeof matchOf>>;

const rulesOf = ({ rules }: Match): RulesOfMatch => RulesOfMatch.parse(rules);

export function request(
  db: Db,
  sessionId: string,
  { serverId, incarnation }: ServerIdentity,
  asked: BackfillRequest,
  now: number,
): Promise<BackfillResult> {
  return atomically(db, async (tx): Promise<BackfillResult> => {
    // The session's row first, as in `receive`: the end of the match and this wait for one another.
    const session = await holdSession(tx, sessionId);
    if (!session) return { outcome: 'unknown' };
    if (session.serverId !== serverId) return { outcome: 'not-yours' };
    const known = await tx.backfill.findUnique({ where: { id: asked.backfillId } });
    if (known)
      return known.fingerprint === asked.fingerprint
        ? { outcome: 'again', backfill: await view(tx, known) }
        : { outcome: 'reused' };
    if (session.state !== 'live') return { outcome: 'withdrawn', state: session.state };
    if (session.incarnation !== incarnation) return { outcome: 'superseded' };
    const matchId = session.matchId;
    const match = await matchOf(tx, matchId);
    const open = await tx.backfill.aggregate({
      where: { sessionId, team: asked.team, state: 'open' },
      _sum: { seatsLeft: true },
    });
    const reason = refusalOf(match, asked, open._sum.seatsLeft ?? 0);
    if (reason !== null) return { outcome: 'refused', reason: [reason] };
    await letGo(tx, matchId, match, asked.leavers, now);
    const seconds = rulesOf(match).backfill?.seconds ?? 0;
    const { backfillId, fingerprint, team, seats } = asked;
    const row = await tx.backfill.create({
      data: {
        id: backfillId,
        sessionId,
        matchId,
        team,
        seats,
        seatsLeft: seats,
        state: 'open',
        fingerprint,
        requestedAt: new Date(now),
        expiresAt: new Date(now + seconds * 1000),
      },
    });
    await enqueueAfterCommit(tx, 'allocator', wanted(row, await matchOf(tx, matchId)));
    return { outcome: 'open', backfill: await view(tx, row) };
  });
}

/** @returns why there are no such seats; null when there are */
function refusalOf(
  match: Match,
  { team, seats, leavers }: BackfillRequest,
  promised: number,
): Message | null {
  const rules = rulesOf(match);
  if (!rules.backfill) return message('backfill.not-allowed', { queue: match.queue });
  if (team >= rules.teams) return message('backfill.no-such-team', { teams: rules.teams, team });
  const unknown = leavers.filter((id) => !match.players.some(({ playerId }) => playerId === id));
  if (unknown.length > 0) return message('backfill.not-in-match', { players: unknown });
  const there = match.players.filter(
    (player) => player.team === team && player.leftAt === null && !leavers.includes(player.playerId),
  ).length;
  const free = rules.teamSize - (match.bots[team] ?? 0) - there - promised;
  return seats <= free ? null : message('backfill.too-few-seats', { team, free: Math.max(0, free), seats });
}

/** Players who left are free at once, and so is the ticket of one that nobody is left of. */
async function letGo(
  tx: Tx,
  matchId: string,
  match: Match,
  leavers: readonly string[],
  now: number,
): Promise<void> {
  const gone = match.players.filter((p) => p.leftAt === null && leavers.includes(p.playerId));
  if (gone.length === 0) return;
  const playerIds = gone.map((player) => player.playerId);
  await tx.matchPlayer.updateMany({
    where: { matchId, playerId: { in: playerIds } },
    data: { leftAt: new Date(now) },
  });
  await tx.livePlayer.deleteMany({ where: { matchId, playerId: { in: playerIds } } });
  const stays = new Set(
    match.players.flatMap(({ playerId, ticketId, leftAt }) =>
      leftAt === null && !playerIds.includes(playerId) ? [ticketId] : [],
    ),
  );
  const ticketIds = [
    ...new Set(gone.flatMap(({ ticketId }) => (ticketId === null || stays.has(ticketId) ? [] : [ticketId]))),
  ];
  const reason = writeReason([message('match.you-left')]);
  const blamed = { noShows: [], leavers: playerIds };
  const offences = offencesOf(blamed, now);
  await noteBlame(tx, matchId, offences);
  await enqueueAfterCommit(tx, 'allocator', [
    ...conductJobs(matchId, match.queue ?? '', blamed, now),
    ...matchEndJobs({ kind: 'abandoned', matchId, ticketIds, ...reason }, match.queue, offences),
  ]);
}

/** The promise to look for players. */
function wanted(row: Backfill, match: Match): OutboxJob[] {
  const { teamSize: _size, backfill: _backfill, ...rules } = rulesOf(match);
  const payload: BackfillUpdate = {
    kind: 'wanted',
    backfillId: row.id,
    matchId: row.matchId,
    queue: match.queue ?? '',
    build: match.build ?? '',
    region: match.region ?? '',
    map: match.map,
    team: row.team,
    seats: row.seatsLeft,
    teams: Array.from({ length: rules.teams }, (_, team) =>
      match.players
        .filter((player) => player.team === team && player.leftAt === null)
        .map(({ playerId, mu, role }) => ({ playerId, mu, ...(role === null ? {} : { role }) })),
    ),
    everybody: match.players.map(({ playerId }) => playerId),
    rules,
    requestedAt: row.requestedAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
  };
  return [{ queue: jobQueues.backfills, jobId: `wanted-${row.id}`, payload }];
}

const closed = (backfillId: string, queue: string): OutboxJob => ({
  queue: jobQueues.backfills,
  jobId: `closed-${backfillId}`,
  payload: { kind: 'closed', backfillId, queue } satisfies BackfillUpdate,
});

export function find(
  db: Db,
  sessionId: string,
  backfillId: string,
  serverId: string,
): Promise<BackfillFound> {
  return atomically(db, (tx) => findIn(tx, sessionId, backfillId, serverId));
}

async function findIn(
  tx: Tx,
  sessionId: string,
  backfillId: string,
  serverId: string,
): Promise<BackfillFound> {
  const row = await tx.backfill.findFirst({ where: { id: backfillId, sessionId } });
  if (!row) return { outcome: 'unknown' };
  const { serverId: host } = await tx.session.findUniqueOrThrow({ where: { id: sessionId } });
  return host === serverId ? { outcome: 'found', backfill: await view(tx, row) } : { outcome: 'not-yours' };
}

export function withdraw(
  db: Db,
  sessionId: string,
  backfillId: string,
  serverId: string,
  now: number,
): Promise<BackfillFound> {
  return atomically(db, async (tx) => {
    const found = await findIn(tx, sessionId, backfillId, serverId);
    if (found.outcome !== 'found') return found;
    const { count } = await tx.backfill.updateMany({
      where: { id: backfillId, state: 'open' },
      data: { state: 'withdrawn', closedAt: new Date(now) },
    });
    if (count > 0) {
      const match = await matchOf(tx, found.backfill.matchId);
      await enqueueAfterCommit(tx, 'allocator', [closed(backfillId, match.queue ?? '')]);
    }
    return findIn(tx, sessionId, backfillId, serverId);
  });
}

export function endOverdue(db: Db, now: number, limit: number): Promise<number> {
  return atomically(db, async (tx) => {
    const at = new Date(now);
    const ended = await tx.$queryRaw<{ id: string; queue: string }[]>`
      WITH due AS MATERIALIZED (
        SELECT backfill.id, session.state = 'live' AS live, match.queue FROM backfill
        JOIN session ON session.id = backfill.session_id JOIN match ON match.id = backfill.match_id
        WHERE backfill.state = 'open' AND (backfill.expires_at <= ${at} OR session.state <> 'live')
        LIMIT ${limit} FOR UPDATE OF backfill SKIP LOCKED
      )
      UPDATE backfill SET state = CASE WHEN due.live THEN 'expired' ELSE 'withdrawn' END, closed_at = ${at}
      FROM due WHERE backfill.id = due.id RETURNING backfill.id, coalesce(due.queue, '') AS queue`;
    await enqueueAfterCommit(
      tx,
      'allocator',
      ended.map(({ id, queue }) => closed(id, queue)),
    );
    return ended.length;
  });
}

/** @returns the server that is to let them in, or null when there is nothing to do */
export function seatFilled(
  db: Db,
  { proposalId, backfillId, ticketId }: TakenSeat,
  now: number,
): Promise<string | null> {
  return atomically(db, async (tx) => {
    const row = await tx.backfill.findUnique({ where: { id: backfillId } });
    if (!row) return null;
    const { sessionId, matchId, team } = row;
    const session = await holdSession(tx, sessionId);
    // The match is over: what its tickets are told is for this one, too.
    if (session?.state !== 'live') return null;
    const told = await tx.$queryRaw<object[]>`
      SELECT 1 FROM command WHERE session_id = ${sessionId} AND kind = 'add-players' AND payload->>'proposalId' = ${proposalId}`;
    if (told.length > 0) return null;
    const match = await matchOf(tx, matchId);
    const added = match.players.filter((p) => p.backfillId === backfillId && p.ticketId === ticketId);
    const roles = Object.fromEntries(added.flatMap((p) => (p.role === null ? [] : [[p.playerId, p.role]])));
    const playerIds = added.map((player) => player.playerId);
    const payload = { proposalId, backfillId, ticketId, team, playerIds, roles };
    await command(tx, session.serverId, 'add-players', sessionId, payload, now);
    // Read after the session's lock: another ticket may have taken seats meanwhile.
    const left = await tx.backfill.findUniqueOrThrow({ where: { id: backfillId } });
    if (left.state === 'open') await enqueueAfterCommit(tx, 'allocator', wanted(left, match));
    return session.serverId;
  });
}

/** A server lets players in, or does not: then their ticket waits again. The seats are not offered anew: it may ask anew. */
export async function seatAnswered(
  tx: Tx,
  order: { sessionId: string; matchId: string; region: string; host: string; port: number },
  serverId: string,
  payload: SeatOrder,
  reply: CommandAnswer,
): Promise<AnswerResult> {
  const { sessionId, matchId, region } = order;
  const { proposalId, ticketId, team } = payload;
  const [session] = await tx.$queryRaw<{ state: string; host: string | null; port: number | null }[]>`
    SELECT state, host, port FROM session WHERE id = ${sessionId} FOR UPDATE`;
  if (session?.state !== 'live') return { outcome: 'accepted', matchId: null };
  if (reply.status === 'done') {
    const ticketIds = [ticketId];
    const { host, port } = session;
    const at = { sessionId, serverId, region, host: host ?? order.host, port: port ?? order.port };
    const news = matchUpdateJobs({
      kind: 'joined',
      matchId,
      ticketIds,
      ...writeReason([message('seat.joined', { region })]),
      proposalId,
      ticketId,
      team,
      ...at,
    });
    await enqueueAfterCommit(tx, 'allocator', news);
    return { outcome: 'accepted', matchId: null };
  }
  await takeBack(tx, matchId, payload, message('seat.refused', { detail: reply.reason }));
  return { outcome: 'accepted', matchId: null };
}

/** A ticket that no seat came of waits again. */
async function takeBack(
  tx: Tx,
  matchId: string,
  { ticketId, backfillId }: SeatOrder,
  reason: Message,
): Promise<void> {
  const seats = await tx.matchPlayer.findMany({ where: { matchId, ticketId, backfillId } });
  const playerIds = seats.map((seat) => seat.playerId);
  await tx.livePlayer.deleteMany({ where: { matchId, playerId: { in: playerIds } } });
  await tx.matchPlayer.deleteMany({ where: { matchId, ticketId, backfillId } });
  const ticketIds = [ticketId];
  await enqueueAfterCommit(
    tx,
    'allocator',
    matchUpdateJobs({
      kind: 'remade',
      matchId,
      ticketIds,
      failedTicketIds: [],
      ...writeReason([reason]),
    }),
  );
}

/** Takes back orders to let players in that are older than that. @returns how many */
export async function withdrawSeats(db: Db, sentBefore: number, limit: number): Promise<number> {
  // Kind and state stand in the text of the statement: only so may a plan that is kept use the partial index.
  const late = await db.$sql.$queryRaw<{ serverId: string; seq: number }[]>`
    SELECT server_id AS "serverId", seq FROM command
    WHERE kind = 'add-players' AND state = 'pending' AND created_at <= ${new Date(sentBefore)}
    ORDER BY created_at LIMIT ${limit}`;
  for (const { serverId, seq } of late)
    await atomically(db, async (tx) => {
      // The command's row before the session's, as in `answer`: a late answer and this wait for one another.
      const [order] = await tx.command.updateManyAndReturn({
        where: { serverId, seq, state: 'pending' },
        data: { state: 'withdrawn' },
        select: { sessionId: true, payload: true },
      });
      if (!order) return;
      const session = await holdSession(tx, order.sessionId);
      // The match is over: what its tickets are told is for this one, too.
      if (session?.state !== 'live') return;
      const reason = message('seat.not-answered');
      // Written by `seatFilled`.
      const payload: unknown = order.payload;
      await takeBack(tx, session.matchId, payload as SeatOrder, reason);
    });
  return late.length;
}

async function view(tx: Tx, row: Backfill): Promise<BackfillView> {
  const players = await tx.matchPlayer.findMany({
    where: { matchId: row.matchId, backfillId: row.id },
    orderBy: { playerId: 'asc' },
  });
  return {
    backfillId: row.id,
    sessionId: row.sessionId,
    matchId: row.matchId,
    team: row.team,
    seats: row.seats,
    seatsLeft: row.seatsLeft,
    // The table's check constraint knows no other.
    state: row.state as BackfillState,
    playerIds: players.map(({ playerId }) => playerId),
    requestedAt: row.requestedAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
  };
}
