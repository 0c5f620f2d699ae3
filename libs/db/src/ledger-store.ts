import {
  UnknownPool,
  type LedgerRow,
  type LedgerStore,
  type PlayerRating,
  type RateMatch,
  type RateResult,
  type RatingPool,
  type ReportedMatch,
  type ReportedRated,
  type SkillBelief,
} from '@muster/domain';
import type { Db } from './client.js';
import { asBelief, asJson } from './json.js';
import { newsOf, outboxJson } from './outbox.js';
import { atomically, type Tx } from './transaction.js';

interface LockedRating {
  player_id: string;
  state: unknown;
}

interface PoolRow {
  name: string;
  model: string;
  parameters: unknown;
  parameters_version: number;
  generation: number;
  player_id: string | null;
  state: unknown;
  matches: number | null;
}

interface EndedMatch {
  state: string;
  pool: { name: string; model: string; parameters: unknown; parameters_version: number; generation: number };
  ranks: number[];
  players: { playerId: string; team: number; ticketId: string | null }[] | null;
}

export class PostgresLedgerStore implements LedgerStore {
  constructor(private readonly db: Db) {}

  async pools(): Promise<RatingPool[]> {
    return (await this.db.ratingPool.findMany({ orderBy: { name: 'asc' } })).map(asPool);
  }

  pool(name: string): Promise<RatingPool> {
    return readPool(this.db, name);
  }

  async createPool(
    name: string,
    model: string,
    parameters: Readonly<Record<string, number>>,
  ): Promise<{ pool: RatingPool; created: boolean }> {
    const { count } = await this.db.ratingPool.createMany({
      data: [{ name, model, parameters: asJson(parameters) }],
      skipDuplicates: true,
    });
    return { pool: await readPool(this.db, name), created: count === 1 };
  }

  async ratings(
    name: string,
    playerIds: readonly string[],
  ): Promise<{ pool: RatingPool; ratings: PlayerRating[] }> {
    // One statement for both: this is the question that every ticket asks.
    const rows = await this.db.$queryRaw<PoolRow[]>`
      SELECT pool.name, pool.model, pool.parameters, pool.parameters_version, pool.generation,
        rating.player_id, rating.state, rating.matches
      FROM rating_pool AS pool LEFT JOIN rating ON rating.pool = pool.name AND rating.generation = pool.generation
        AND rating.player_id = ANY(${[...playerIds]}::text[])
      WHERE pool.name = ${name}`;
    const [first] = rows;
    if (!first) throw unknownPool(name);
    const pool = asPool({ ...first, parametersVersion: first.parameters_version });
    const ratings = rows.flatMap(({ player_id: playerId, state, matches }) =>
      playerId === null ? [] : [{ playerId, ...asBelief(state), matches: matches ?? 0 }],
    );
    return { pool, ratings };
  }

  async page({ name, generation }: RatingPool, after: string, limit: number): Promise<PlayerRating[]> {
    const rows = await this.db.rating.findMany({
      where: { pool: name, generation, playerId: { gt: after } },
      orderBy: { playerId: 'asc' },
      take: limit,
    });
    return rows.map((row) => ({ playerId: row.playerId, ...asBelief(row.state), matches: row.matches }));
  }

  async changes(matchIds: readonly string[]): Promise<LedgerRow[]> {
    const rows = await this.db.ratingChange.findMany({
      where: { kind: 'match', eventId: { in: [...matchIds] } },
    });
    return rows.map((row) => ({
      matchId: row.eventId,
      playerId: row.playerId,
      before: asBelief(row.before),
      after: asBelief(row.after),
    }));
  }

  rateMatch(matchId: string, model: RateMatch, now: number): Promise<RateResult> {
    return atomically(this.db, async (tx): Promise<RateResult> => {
      const [match] = await tx.$queryRaw<EndedMatch[]>`
        SELECT match.state, match.ranks, to_jsonb(rating_pool) AS pool, (
          SELECT jsonb_agg(jsonb_build_object('playerId', player_id, 'team', team, 'ticketId', ticket_id) ORDER BY player_id)
          FROM match_player WHERE match_id = match.id) AS players
        FROM match JOIN rating_pool ON rating_pool.name = match.pool WHERE match.id = ${matchId} FOR UPDATE OF match`;
      if (!match || match.state === 'formed' || match.state === 'placed') return { outcome: 'not-ended' };
      if (match.state !== 'ended') return { outcome: 'closed' };
      const players = match.players ?? [];
      const teams: string[][] = match.ranks.map(() => []);
      for (const { playerId, team } of players) teams[team]?.push(playerId);
      const ticketIds = [...new Set(players.flatMap((p) => (p.ticketId === null ? [] : [p.ticketId])))];
      const reason = 'The match is over and rated; you may queue again.';
      const pool = asPool({ ...match.pool, parametersVersion: match.pool.parameters_version });
      await applyMatch(tx, { pool, eventId: matchId, teams, ranks: match.ranks, model, now });
      await tx.$executeRaw`
        WITH closed AS (
          UPDATE match SET state = 'rated', closed_at = ${new Date(now)} WHERE id = ${matchId}
        ), promised AS (
          INSERT INTO outbox (owner, queue, job_id, payload)
          SELECT 'rating', row.queue, row.job_id, row.payload
          FROM jsonb_to_recordset(${outboxJson(newsOf({ kind: 'rated', matchId, ticketIds, reason }))}::jsonb)
            AS row(queue text, job_id text, payload jsonb)
        )
        DELETE FROM live_player WHERE match_id = ${matchId}`;
      return { outcome: 'rated' };
    });
  }

  rateReported(match: ReportedMatch, model: RateMatch, now: number): Promise<ReportedRated> {
    const { matchId, externalId, digest, teams, ranks } = match;
    return atomically(this.db, async (tx): Promise<ReportedRated> => {
      const pool = await readPool(tx, match.pool);
      const { count } = await tx.match.createMany({
        data: [
          {
            id: matchId,
            origin: 'reported',
            state: 'rated',
            externalId,
            digest,
            pool: pool.name,
            ranks: [...ranks],
            why: ['Reported by a trusted server; the coordinator did not make these teams.'],
            formedAt: new Date(match.playedAt),
            endedAt: new Date(match.playedAt),
            closedAt: new Date(now),
          },
        ],
        skipDuplicates: true,
      });
      if (count === 0) return this.repeated(tx, match, now);
      const before = await applyMatch(tx, { pool, eventId: matchId, teams, ranks, model, now });
      const prediction = model.predict(pool, before);
      const players = teams.flatMap((team, t) =>
        team.map((playerId, i) => ({
          player_id: playerId,
          team: t,
          ...(before[t]?.[i] ?? model.initial(pool)),
        })),
      );
      await tx.$executeRaw`
        WITH said AS (
          UPDATE match SET prediction = ${prediction}::float8[] WHERE id = ${matchId}
        )
        INSERT INTO match_player (match_id, player_id, team, mu, sigma)
        SELECT ${matchId}, player_id, team, mu, sigma
        FROM jsonb_to_recordset(${JSON.stringify(players)}::jsonb) AS row(player_id text, team int, mu float8, sigma float8)`;
      return { outcome: 'rated', matchId, prediction };
    });
  }

  /** The external id is known: the same report again is fine, another one is kept for operators. */
  private async repeated(
    tx: Tx,
    { pool, externalId, digest, reportedBy, teams, ranks }: ReportedMatch,
    now: number,
  ): Promise<ReportedRated> {
    const known = await tx.match.findUniqueOrThrow({ where: { pool_externalId: { pool, externalId } } });
    if (known.digest === digest) return { outcome: 'again', matchId: known.id, prediction: known.prediction };
    await tx.resultConflict.createMany({
      data: [
        {
          matchId: known.id,
          reportedBy,
          reason: `another result is known for ${externalId}`,
          digest,
          body: asJson({ teams, ranks }),
          receivedAt: new Date(now),
        },
      ],
      skipDuplicates: true,
    });
    return { outcome: 'contradicts', matchId: known.id, prediction: known.prediction };
  }

  async endedBefore(time: number, limit: number): Promise<string[]> {
    const matches = await this.db.match.findMany({
      where: { state: 'ended', endedAt: { lt: new Date(time) } },
      select: { id: true },
      orderBy: { endedAt: 'asc' },
      take: limit,
    });
    return matches.map((match) => match.id);
  }
}

interface Application {
  pool: RatingPool;
  eventId: string;
  teams: readonly (readonly string[])[];
  ranks: readonly number[];
  model: RateMatch;
  now: number;
}

/**
 * Rates a match within the transaction: locks its players' rows in the order of their ids, then draws the sequence
 * number (so that events which share a player are numbered as they took effect), then writes ledger and ratings.
 *
 * @returns the beliefs before, by team
 */
async function applyMatch(
  tx: Tx,
  { pool, eventId, teams, ranks, model, now }: Application,
): Promise<SkillBelief[][]> {
  const { name, generation } = pool;
  const ids = teams.flat().toSorted();
  const at = new Date(now);
  await tx.$executeRaw`
    INSERT INTO rating (pool, generation, player_id, state, matches, updated_at)
    SELECT ${name}, ${generation}, player_id, ${JSON.stringify(model.initial(pool))}::jsonb, 0, ${at}
    FROM unnest(${ids}::text[]) AS player_id ORDER BY player_id
    ON CONFLICT DO NOTHING`;
  const rows = await tx.$queryRaw<LockedRating[]>`
    SELECT player_id, state FROM rating WHERE pool = ${name} AND generation = ${generation} AND player_id = ANY(${ids}::text[])
    ORDER BY player_id FOR UPDATE`;
  const beliefs = new Map(rows.map((row) => [row.player_id, asBelief(row.state)]));
  const before = teams.map((team) => team.map((playerId) => beliefs.get(playerId) ?? model.initial(pool)));
  const after = model.rate(pool, before, ranks);
  const changes = teams.flatMap((team, t) =>
    team.map((playerId, i) => ({ player_id: playerId, before: before[t]?.[i], after: after[t]?.[i] })),
  );
  await tx.$executeRaw`
    WITH event AS MATERIALIZED (
      SELECT nextval('ledger_sequence') AS sequence
    ), changes AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS row(player_id text, before jsonb, after jsonb)
    ), ledger AS (
      INSERT INTO rating_change (pool, generation, kind, event_id, player_id, sequence, before, after, parameters_version, at)
      SELECT ${name}, ${generation}, 'match', ${eventId}, player_id, event.sequence, before, after, ${pool.parametersVersion}, ${at}
      FROM changes, event
    )
    UPDATE rating SET state = changes.after, matches = matches + 1, updated_at = ${at} FROM changes
    WHERE rating.pool = ${name} AND rating.generation = ${generation} AND rating.player_id = changes.player_id`;
  return before;
}

async function readPool(db: Db | Tx, name: string): Promise<RatingPool> {
  const row = await db.ratingPool.findUnique({ where: { name } });
  if (!row) throw unknownPool(name);
  return asPool(row);
}

function unknownPool(name: string): UnknownPool {
  return new UnknownPool(`There is no rating pool "${name}". An operator can create it: POST /v1/pools.`, {
    pool: name,
  });
}

function asPool(row: {
  name: string;
  model: string;
  parameters: unknown;
  parametersVersion: number;
  generation: number;
}): RatingPool {
  const { name, model, parametersVersion, generation } = row;
  return { name, model, parameters: row.parameters as Record<string, number>, parametersVersion, generation };
}
