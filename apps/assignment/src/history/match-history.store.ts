import { readMessages, readWhy, type MatchView, type SentOrder } from '@muster/contracts';
import { readsOf, sqlPart, type Db, type Reads, type SqlPart } from '@muster/db';
import { grouped, type BoosterInUse, type MatchPlayer, type Message, type Played } from '@muster/domain';
import { type MatchQuery, type Place, placesOf, placesOfPlayer } from './match-places.store.js';

/** A player of a match. Times are milliseconds since the epoch. */
interface StoryPlayer extends Omit<MatchPlayer, 'role' | 'booster' | 'attributes'> {
  readonly role: string | null;
  readonly booster: BoosterInUse | null;
  /** When they joined a running match, and by which backfill. */
  readonly joinedAt: number | null;
  readonly backfillId: string | null;
  /** When their server reported that they had left for good, in a request for players. */
  readonly leftAt: number | null;
}

/** What a match has instead of fields of its view; the others are equal. */
interface Stored {
  /** The messages of `closeReason`; absent when the previous release wrote it. */
  readonly closeMessages?: readonly Message[] | undefined;
  /** One for each sentence of `why`; absent when the previous release wrote it. */
  readonly whyMessages?: readonly Message[] | undefined;
  /** A `SplitRecord` as stored, or null: Muster did not split a reported match. */
  readonly split: unknown;
  /** Why the last server was chosen; absent when none was asked, or the previous release asked it. */
  readonly serverWhy?: readonly Message[] | undefined;
  readonly players: readonly StoryPlayer[];
  /** What its server or reporter said of it; null before a result. */
  readonly played: Pick<Played, 'scores' | 'facts' | 'stats'> | null;
  /** Players who were ordered to change team while it was played. */
  readonly balance: readonly (SentOrder & { readonly at: number })[];
}

/** A match as operators and its players see it, without the ratings after it. */
export type MatchStory = Stored &
  Omit<MatchView, keyof Stored | 'closeReasonMessages' | 'serverWhyMessages' | 'scores'>;

/** Some matches, and the start of the next page. */
export interface MatchList {
  readonly stories: readonly MatchStory[];
  /** Null when there are no more. */
  readonly next: NonNullable<MatchQuery['cursor']> | null;
}

/** The servers that were asked for a match. */
interface Asked {
  readonly matchId: string;
  readonly sessions: number;
  /** Why the last one was chosen. */
  readonly chosen: unknown;
}

type Elsewhere = 'placements' | 'serverWhy' | 'players' | 'balance';
type Row = Omit<MatchStory, Elsewhere | 'closeMessages' | 'whyMessages'> & {
  readonly closeMessages: unknown;
  readonly whyMessages: unknown;
};

type PlayerRow = StoryPlayer & { readonly matchId: string };

interface OrderRow {
  readonly matchId: string;
  readonly at: number;
  readonly body: SentOrder;
}

const times = sqlPart`(extract(epoch FROM proposed_at) * 1000)::float8 AS "proposedAt", (extract(epoch FROM formed_at) * 1000)::float8 AS "formedAt",
  (extract(epoch FROM placed_at) * 1000)::float8 AS "placedAt", (extract(epoch FROM ended_at) * 1000)::float8 AS "endedAt", (extract(epoch FROM closed_at) * 1000)::float8 AS "closedAt"`;

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

  private listOf(question: SqlPart, limit: number): Promise<MatchList> {
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

async function storiesOf({ $sql }: Db, given: readonly string[]): Promise<ReadonlyMap<string, MatchStory>> {
  const ids = [...given];
  const rows = await $sql.$queryRaw<Row[]>`
    SELECT id AS "matchId", origin, external_id AS "externalId", pool, queue, build, state, close_reason AS "closeReason",
      close_messages AS "closeMessages", coalesce(why, '{}') AS why, why_messages AS "whyMessages",
      coalesce(prediction, '{}') AS prediction, coalesce(ranks, '{}') AS ranks, map, coalesce(bots, '{}') AS bots, played, split,
      server_id AS "serverId", session_id AS "sessionId", substr(trace, 4, 32) AS "traceId", region, ${times}
    FROM match WHERE id = ANY(${ids}::text[])`;
  const players = await $sql.$queryRaw<PlayerRow[]>`
    SELECT match_id AS "matchId", player_id AS "playerId", team, ticket_id AS "ticketId", mu, sigma, waited_ms AS "waitedMs",
      role, booster, (extract(epoch FROM joined_at) * 1000)::float8 AS "joinedAt", backfill_id AS "backfillId", (extract(epoch FROM left_at) * 1000)::float8 AS "leftAt"
    FROM match_player WHERE match_id = ANY(${ids}::text[]) ORDER BY team, player_id`;
  const orders = await $sql.$queryRaw<OrderRow[]>`
    SELECT match_id AS "matchId", (extract(epoch FROM ordered_at) * 1000)::float8 AS at, body
    FROM balance_order WHERE match_id = ANY(${ids}::text[]) ORDER BY number`;
  const asked = await $sql.$queryRaw<Asked[]>`
    SELECT match_id AS "matchId", count(*)::int AS sessions, (array_agg(chosen ORDER BY reserved_at DESC, id))[1] AS chosen
    FROM session WHERE match_id = ANY(${ids}::text[]) GROUP BY 1`;
  const playersOf = grouped(players, ({ matchId }) => matchId);
  const ordersOf = grouped(orders, ({ matchId }) => matchId);
  const askedOf = new Map(asked.map((each) => [each.matchId, each]));
  return new Map(
    rows.map((row) => {
      const { matchId } = row;
      return [
        matchId,
        story(row, playersOf.get(matchId) ?? [], ordersOf.get(matchId) ?? [], askedOf.get(matchId)),
      ];
    }),
  );
}

function story(
  row: Row,
  players: readonly PlayerRow[],
  orders: readonly OrderRow[],
  asked: Asked | undefined,
): MatchStory {
  const { closeMessages, closeReason, whyMessages, why } = row;
  return {
    ...row,
    closeMessages:
      closeReason !== null && closeMessages !== null ? readMessages(closeMessages, closeReason) : undefined,
    whyMessages: whyMessages === null ? undefined : readWhy(whyMessages, why),
    placements: asked?.sessions ?? 0,
    // A session of the previous release says nothing, and a newer one may use an unknown message.
    serverWhy: asked?.chosen ? readMessages([asked.chosen], '') : undefined,
    balance: orders.map(({ at, body }) => ({ at, ...body })),
    players,
  };
}
