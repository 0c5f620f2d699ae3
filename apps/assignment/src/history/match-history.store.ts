import { readMessages, readWhy } from '@muster/contracts';
import { readsOf, type Db, type Prisma, type Reads } from '@muster/db';
import type { BoosterInUse, MatchList, MatchQuery, MatchState, MatchStory, SentOrder } from '@muster/domain';
import { type Place, placesOf, placesOfPlayer } from './match-places.store.js';

const include = {
  players: { orderBy: [{ team: 'asc' }, { playerId: 'asc' }] },
  orders: { orderBy: { number: 'asc' } },
} satisfies Prisma.MatchInclude;
/** The servers that were asked for a match. */
interface Asked {
  readonly matchId: string;
  readonly sessions: number;
  /** Why the last one was chosen. */
  readonly chosen: unknown;
}

type Row = Prisma.MatchGetPayload<{ include: typeof include }>;

/** One match is read from the primary, lists from where reads may be a little old. */
export class PostgresMatchHistory {
  constructor(
    private readonly db: Db,
    private readonly reads: Reads = readsOf(db),
  ) {}

  async find(matchId: string): Promise<MatchStory | null> {
    return (await storiesOf(this.db, [matchId])).get(matchId) ?? null;
  }

  /** Matches by the time at which they were formed, or by their end where such a range is given. */
  page(query: MatchQuery): Promise<MatchList> {
    return this.listOf(placesOf(query), query.limit);
  }

  /** The matches of a player, newest first. The cost is one row per match on the page. */
  ofPlayer(playerId: string, limit: number, cursor?: MatchQuery['cursor']): Promise<MatchList> {
    return this.listOf(placesOfPlayer(playerId, limit, cursor), limit);
  }

  private listOf(question: Prisma.Sql, limit: number): Promise<MatchList> {
    return this.reads.read(async (db) => {
      const places = await db.$sql.$queryRaw<Place[]>(question);
      const found = await storiesOf(
        db,
        places.map(({ id }) => id),
      );
      const last = places.length === limit ? places.at(-1) : undefined;
      return {
        stories: places.flatMap(({ id }) => found.get(id) ?? []),
        next: last ? { at: last.at.getTime(), matchId: last.id } : null,
      };
    });
  }
}

async function storiesOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, MatchStory>> {
  const rows = await db.match.findMany({ where: { id: { in: [...ids] } }, include });
  // A statement of its own: Prisma would count the sessions of all matches and join the counts.
  const asked = await db.$sql.$queryRaw<Asked[]>`
    SELECT match_id AS "matchId", count(*)::int AS sessions, (array_agg(chosen ORDER BY reserved_at DESC, id))[1] AS chosen
    FROM session WHERE match_id = ANY(${[...ids]}::text[]) GROUP BY 1`;
  const placements = new Map(asked.map((each) => [each.matchId, each]));
  return new Map(rows.map((row) => [row.id, story(row, placements.get(row.id))]));
}

const ms = (date: Date | null): number | null => date?.getTime() ?? null;

function orderOf(body: unknown): SentOrder {
  return body as SentOrder;
}

// Written when the match was formed, from a value of this type.
function boosterOf(stored: unknown): BoosterInUse {
  return stored as BoosterInUse;
}

// Written by the allocator and by rating, from a value of this type.
function playedOf(stored: unknown): MatchStory['played'] {
  return stored as MatchStory['played'];
}

function story(row: Row, asked: Asked | undefined): MatchStory {
  const { id, proposedAt, formedAt, placedAt, endedAt, closedAt, players, state, origin, orders } = row;
  return {
    matchId: id,
    origin: origin === 'queue' ? 'queue' : 'reported',
    externalId: row.externalId,
    pool: row.pool,
    queue: row.queue,
    build: row.build,
    // The table's check constraint allows no other value.
    state: state as MatchState,
    closeReason: row.closeReason,
    ...(row.closeReason !== null && row.closeMessages !== null
      ? { closeMessages: readMessages(row.closeMessages, row.closeReason) }
      : {}),
    why: row.why,
    ...(row.whyMessages === null ? {} : { whyMessages: readWhy(row.whyMessages, row.why) }),
    prediction: row.prediction,
    ranks: row.ranks,
    map: row.map,
    bots: row.bots,
    played: playedOf(row.played),
    split: row.split,
    serverId: row.serverId,
    sessionId: row.sessionId,
    region: row.region,
    proposedAt: ms(proposedAt),
    formedAt: ms(formedAt),
    placedAt: ms(placedAt),
    endedAt: ms(endedAt),
    closedAt: ms(closedAt),
    placements: asked?.sessions ?? 0,
    // A session of the previous release says nothing, and a newer one may use an unknown message.
    ...(asked?.chosen ? { serverWhy: readMessages([asked.chosen], '') } : {}),
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
      ...(rest.booster === null ? {} : { booster: boosterOf(rest.booster) }),
      ...(rest.joinedAt ? { joinedAt: rest.joinedAt.getTime() } : {}),
      ...(rest.backfillId === null ? {} : { backfillId: rest.backfillId }),
      ...(rest.leftAt ? { leftAt: rest.leftAt.getTime() } : {}),
    })),
  };
}
