import type { LiveOrder, MatchHistory, MatchQuery, MatchState, MatchStory } from '@muster/domain';
import type { Db } from './client.js';
import type { Prisma } from './generated/client.js';

const include = {
  players: { orderBy: [{ team: 'asc' }, { playerId: 'asc' }] },
  orders: { orderBy: { number: 'asc' } },
  _count: { select: { sessions: true } },
} satisfies Prisma.MatchInclude;
type Row = Prisma.MatchGetPayload<{ include: typeof include }>;

export class PostgresMatchHistory implements MatchHistory {
  constructor(private readonly db: Db) {}

  async find(matchId: string): Promise<MatchStory | null> {
    const row = await this.db.match.findUnique({ where: { id: matchId }, include });
    return row && story(row);
  }

  async page({ limit, order, cursor, state, pool, playerId }: MatchQuery): Promise<MatchStory[]> {
    const past = order === 'newest' ? 'lt' : 'gt';
    const direction = order === 'newest' ? 'desc' : 'asc';
    const at = cursor && new Date(cursor.at);
    const rows = await this.db.match.findMany({
      where: {
        formedAt: { not: null },
        ...(state ? { state } : {}),
        ...(pool ? { pool } : {}),
        ...(playerId ? { players: { some: { playerId } } } : {}),
        ...(cursor && at
          ? { OR: [{ formedAt: { [past]: at } }, { formedAt: at, id: { [past]: cursor.matchId } }] }
          : {}),
      },
      orderBy: [{ formedAt: direction }, { id: direction }],
      take: limit,
      include,
    });
    return rows.map(story);
  }
}

const ms = (date: Date | null): number | null => date?.getTime() ?? null;

function orderOf(body: unknown): LiveOrder {
  return body as LiveOrder;
}

function story(row: Row): MatchStory {
  const { id, _count, proposedAt, formedAt, placedAt, endedAt, closedAt, players, state, origin, orders } =
    row;
  return {
    matchId: id,
    origin: origin === 'queue' ? 'queue' : 'reported',
    externalId: row.externalId,
    pool: row.pool,
    queue: row.queue,
    build: row.build,
    // The table's check constraint knows no other.
    state: state as MatchState,
    closeReason: row.closeReason,
    why: row.why,
    prediction: row.prediction,
    ranks: row.ranks,
    map: row.map,
    bots: row.bots,
    split: row.split,
    serverId: row.serverId,
    sessionId: row.sessionId,
    region: row.region,
    proposedAt: ms(proposedAt),
    formedAt: ms(formedAt),
    placedAt: ms(placedAt),
    endedAt: ms(endedAt),
    closedAt: ms(closedAt),
    placements: _count.sessions,
    // Written with the order.
    balance: orders.map(({ orderedAt, body }) => ({ at: orderedAt.getTime(), ...orderOf(body) })),
    players: players.map(({ playerId, team, ticketId, mu, sigma, waitedMs, role, ...rest }) => ({
      playerId,
      team,
      ticketId,
      mu,
      sigma,
      waitedMs,
      ...(role === null ? {} : { role }),
      ...(rest.joinedAt ? { joinedAt: rest.joinedAt.getTime() } : {}),
      ...(rest.backfillId === null ? {} : { backfillId: rest.backfillId }),
      ...(rest.leftAt ? { leftAt: rest.leftAt.getTime() } : {}),
    })),
  };
}
