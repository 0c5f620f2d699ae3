import { connectRedis, type RedisConnection } from '@muster/redis';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../../support/stack.js';
import { createDb, type Db } from '../../support/prisma.js';

/** Something that is unchanged for this time is stuck, in milliseconds. */
const hangsMs = 30_000;
const lookMs = 500;

/** The damage of a disturbance, read from the stores. */
export class Harm {
  private readonly db: Db;
  private readonly redis: RedisConnection;

  constructor(stack: Stack) {
    this.db = createDb(stack.run.databaseUrl, { maxConnections: 2 });
    // It connects again by itself; a question that fails says so.
    this.redis = connectRedis(stack.run.redisUrl, { name: 'harm', onError: () => undefined });
  }

  /** The time of the database, in milliseconds since the epoch. */
  async now(): Promise<number> {
    const [row] = await this.db.$queryRaw<{ now: Date }[]>`SELECT now() AS now`;
    return row?.now.getTime() ?? 0;
  }

  /** Matches placed on a server and abandoned since. No server of the test falls silent or calls off. */
  async abandonedSince(at: number): Promise<string[]> {
    const rows = await this.db.$queryRaw<{ id: string }[]>`
      SELECT match.id || ' (' || coalesce(string_agg(session.state || ': ' || coalesce(session.reason, ''), ', '), '') || ')' AS id
      FROM match JOIN session ON session.match_id = match.id
      WHERE match.state = 'abandoned' AND match.closed_at >= ${new Date(at)} AND session.live_at IS NOT NULL
      GROUP BY match.id`;
    return rows.map(({ id }) => id);
  }

  /** The number of matches formed since and rated. */
  async ratedOf(at: number): Promise<number> {
    const [row] = await this.db.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) AS count FROM match WHERE state = 'rated' AND formed_at >= ${new Date(at)}`;
    return Number(row?.count ?? 0);
  }

  /** Players held by a finished match, or by one whose result is unrated. */
  async stuckPlayers(): Promise<string[]> {
    return this.lasting(async () => {
      const rows = await this.db.$queryRaw<{ id: string }[]>`
        SELECT live_player.player_id || ' in ' || match.id || ' (' || match.state || ')' AS id
        FROM live_player JOIN match ON match.id = live_player.match_id
        WHERE match.state NOT IN ('formed', 'placed')
          OR (match.state = 'placed' AND NOT EXISTS (
            SELECT FROM session WHERE session.match_id = match.id AND session.closed_at IS NULL))`;
      return rows.map(({ id }) => id);
    });
  }

  /** Tickets held by a finished proposal, ready check or match. */
  async stuckTickets(ticketIds: Iterable<string>): Promise<string[]> {
    const all = [...ticketIds];
    return this.lasting(async () => {
      const open = await this.openTickets(all);
      const over = await this.over([...new Set(open.map(({ matchId }) => matchId))]);
      return open
        .filter(({ state, matchId }) => state === 'gone' || matchId === '' || over.has(matchId))
        .map(({ id, state, matchId }) => `${id} is ${state} in ${matchId || 'no match'}`);
    });
  }

  async close(): Promise<void> {
    this.redis.disconnect();
    await this.db.$disconnect();
  }

  private async openTickets(
    ids: readonly string[],
  ): Promise<{ id: string; state: string; matchId: string }[]> {
    const found: { id: string; state: string; matchId: string }[] = [];
    const asked = this.redis.pipeline();
    for (const id of ids) asked.hmget(`muster:{default}:ticket:${id}`, 's', 'c', 'm');
    const answers = (await asked.exec()) ?? [];
    for (const [i, id] of ids.entries()) {
      const [state, closed, matchId] = (answers[i]?.[1] ?? []) as (string | null)[];
      if (state === null || state === undefined) found.push({ id, state: 'gone', matchId: '' });
      else if (closed !== '1' && state !== 'waiting') found.push({ id, state, matchId: matchId ?? '' });
    }
    return found;
  }

  /** Those of the matches that are not running. */
  private async over(matchIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.db.$queryRaw<{ id: string }[]>`
      SELECT wanted.id FROM unnest(${matchIds}::text[]) AS wanted(id) LEFT JOIN match ON match.id = wanted.id
      WHERE match.id IS NULL OR match.state NOT IN ('formed', 'placed', 'ended')`;
    return new Set(rows.map(({ id }) => id));
  }

  /** Polls until nothing is found; returns what is found throughout. */
  private async lasting(find: () => Promise<string[]>): Promise<string[]> {
    const until = performance.now() + hangsMs;
    let still = await find();
    while (still.length > 0 && performance.now() < until) {
      await sleep(lookMs);
      const now = new Set(await find());
      still = still.filter((id) => now.has(id));
    }
    return still;
  }
}
