import { readMessages, readWhy, type MatchView, type SentOrder } from '@muster/contracts';
import { readsOf, type Db, type Reads, type SqlPart } from '@muster/db';
import type { BoosterInUse, MatchPlayer, Message, Played } from '@muster/domain';
import { type MatchQuery, type Place, placesOf, placesOfPlayer } from './match-places.store.js';

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
  readonly players: readonly MatchPlayer[];
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

type Times = 'proposedAt' | 'formedAt' | 'placedAt' | 'endedAt' | 'closedAt';
type Elsewhere = 'placements' | 'serverWhy' | 'players' | 'balance';
type Row = Omit<MatchStory, Times | Elsewhere | 'closeMessages' | 'whyMessages'> &
  Readonly<Record<Times, Date | null>> & { readonly closeMessages: unknown; readonly whyMessages: unknown };

interface PlayerRow {
  readonly matchId: string;
  readonly playerId: string;
  readonly team: number;
  readonly ticketId: string | null;
  readonly mu: number;
  readonly sigma: number;
  readonly waitedMs: number | null;
  readonly role: string | null;
  /** Written when the match was formed, from a value of this type. */
  readonly booster: BoosterInUse | null;
  readonly joinedAt: Date | null;
  readonly backfillId: string | null;
  readonly leftAt: Date | null;
}

interface OrderRow {
  readonly matchId: string;
  readonly orderedAt: Date;
  readonly body: SentOrder;
}

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
      server_id AS "serverId", session_id AS "sessionId", region, proposed_at AS "proposedAt", formed_at AS "formedAt",
      placed_at AS "placedAt", ended_at AS "endedAt", closed_at AS "closedAt"
    FROM match WHERE id = ANY(${ids}::text[])`;
  const players = await $sql.$queryRaw<PlayerRow[]>`
    SELECT match_id AS "matchId", player_id AS "playerId", team, ticket_id AS "ticketId", mu, sigma, waited_ms AS "waitedMs",
      role, booster, joined_at AS "joinedAt", backfill_id AS "backfillId", left_at AS "leftAt"
    FROM match_player WHERE match_id = ANY(${ids}::text[]) ORDER BY team, player_id`;
  const orders = await $sql.$queryRaw<OrderRow[]>`
    SELECT match_id AS "matchId", ordered_at AS "orderedAt", body
    FROM balance_order WHERE match_id = ANY(${ids}::text[]) ORDER BY number`;
  const asked = await $sql.$queryRaw<Asked[]>`
    SELECT match_id AS "matchId", count(*)::int AS sessions, (array_agg(chosen ORDER BY reserved_at DESC, id))[1] AS chosen
    FROM session WHERE match_id = ANY(${ids}::text[]) GROUP BY 1`;
  const [playersOf, ordersOf] = [byMatch(players), byMatch(orders)];
  const askedOf = new Map(asked.map((each) => [each.matchId, each]));
  return new Map(
    rows.map((row) => {
      const { matchId } = row;
      const parts = [playersOf.get(matchId) ?? [], ordersOf.get(matchId) ?? []] as const;
      return [matchId, story(row, ...parts, askedOf.get(matchId))];
    }),
  );
}

function byMatch<T extends { readonly matchId: string }>(
  rows: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const known = found.get(row.matchId);
    if (known) known.push(row);
    else found.set(row.matchId, [row]);
  }
  return found;
}

const ms = (date: Date | null): number | null => date?.getTime() ?? null;

function story(
  row: Row,
  players: readonly PlayerRow[],
  orders: readonly OrderRow[],
  asked: Asked | undefined,
): MatchStory {
  const { proposedAt, formedAt, placedAt, endedAt, closedAt, closeMessages, whyMessages, ...said } = row;
  return {
    ...said,
    ...(row.closeReason !== null && closeMessages !== null
      ? { closeMessages: readMessages(closeMessages, row.closeReason) }
      : {}),
    ...(whyMessages === null ? {} : { whyMessages: readWhy(whyMessages, row.why) }),
    proposedAt: ms(proposedAt),
    formedAt: ms(formedAt),
    placedAt: ms(placedAt),
    endedAt: ms(endedAt),
    closedAt: ms(closedAt),
    placements: asked?.sessions ?? 0,
    // A session of the previous release says nothing, and a newer one may use an unknown message.
    ...(asked?.chosen ? { serverWhy: readMessages([asked.chosen], '') } : {}),
    balance: orders.map(({ orderedAt, body }) => ({ at: orderedAt.getTime(), ...body })),
    players: players.map(({ playerId, team, ticketId, mu, sigma, waitedMs, role, ...rest }) => ({
      playerId,
      team,
      ticketId,
      mu,
      sigma,
      waitedMs,
      ...(role === null ? {} : { role }),
      ...(rest.booster === null ? {} : { booster: rest.booster }),
      ...(rest.joinedAt ? { joinedAt: rest.joinedAt.getTime() } : {}),
      ...(rest.backfillId === null ? {} : { backfillId: rest.backfillId }),
      ...(rest.leftAt ? { leftAt: rest.leftAt.getTime() } : {}),
    })),
  };
}
