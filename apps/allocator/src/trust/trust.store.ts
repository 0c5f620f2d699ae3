import type { Db, Sql } from '@muster/db';
import {
  Batcher,
  doubts,
  missesOfProved,
  type ServerIdentity,
  silentAtFirstMs,
  silentAtMostMs,
} from '@muster/domain';

/** Servers that one statement changes. */
const changedAtOnce = 500;
/** Unanswered commands that are told apart. */
const mostMisses = 100;

/** What servers did that tells whether to send them matches. The rows of servers hold the conclusion. */
export class PostgresTrust {
  private readonly heard = new Batcher<ServerIdentity, void>(
    changedAtOnce,
    async (servers) => {
      await this.noteListening(servers);
      return servers.map(() => undefined);
    },
    () => false,
  );
  private readonly confirmed = new Batcher<string, void>(
    changedAtOnce,
    async (ids) => {
      await this.noteConfirmed(ids);
      return ids.map(() => undefined);
    },
    () => false,
  );

  constructor(private readonly db: Db) {}

  /** A server asks for commands. No effect unless it did not before. */
  listens(server: ServerIdentity): Promise<void> {
    return this.heard.submit('', server);
  }

  /** A server confirmed a session. No effect unless it is doubted or left commands unanswered. */
  confirms(serverId: string): Promise<void> {
    return this.confirmed.submit('', serverId);
  }

  /**
   * Suspects newcomers of fleets with a silent newcomer, and ends the suspicion of others. The cost grows with what changes, and
   * with the number of fleets that are suspected.
   *
   * @returns whether more may be due
   */
  async review(): Promise<boolean> {
    const changed = await this.db.$sql.$executeRaw`
      WITH RECURSIVE silent (fleet) AS (
        (SELECT fleet FROM server WHERE state IN ('ready', 'draining') AND doubt = 4 AND doubt > 0 ORDER BY fleet LIMIT 1)
        UNION ALL
        SELECT (SELECT server.fleet FROM server WHERE state IN ('ready', 'draining') AND doubt = 4 AND doubt > 0 AND server.fleet > silent.fleet
          ORDER BY server.fleet LIMIT 1) FROM silent WHERE silent.fleet IS NOT NULL
      ), cleared (fleet) AS (
        (SELECT fleet FROM server WHERE state IN ('ready', 'draining') AND doubt = 2 AND doubt > 0 ORDER BY fleet LIMIT 1)
        UNION ALL
        SELECT (SELECT server.fleet FROM server WHERE state IN ('ready', 'draining') AND doubt = 2 AND doubt > 0 AND server.fleet > cleared.fleet
          ORDER BY server.fleet LIMIT 1) FROM cleared WHERE cleared.fleet IS NOT NULL
      ), due AS (
        SELECT each.id FROM silent CROSS JOIN LATERAL (
          SELECT id FROM server WHERE state IN ('ready', 'draining') AND doubt = 1 AND doubt > 0 AND server.fleet = silent.fleet
          LIMIT ${changedAtOnce}) AS each
        UNION ALL
        SELECT each.id FROM cleared CROSS JOIN LATERAL (
          SELECT id FROM server WHERE state IN ('ready', 'draining') AND doubt = 2 AND doubt > 0 AND server.fleet = cleared.fleet
          LIMIT ${changedAtOnce}) AS each
        WHERE NOT EXISTS (SELECT 1 FROM silent WHERE silent.fleet = cleared.fleet)
      ), held AS (
        SELECT id FROM server WHERE id = ANY(ARRAY(SELECT due.id FROM due LIMIT ${changedAtOnce})) FOR NO KEY UPDATE SKIP LOCKED
      )
      UPDATE server SET doubt = CASE doubt WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE doubt END
      WHERE id = ANY(ARRAY(SELECT held.id FROM held))`;
    return changed >= changedAtOnce;
  }

  /** Gives servers that were silent for long enough another trial. */
  async forgive(now: number): Promise<void> {
    const longest = silentAtMostMs / 1000;
    await this.db.$sql.$executeRaw`
      UPDATE server SET doubt = ${doubts.newcomer}::smallint
      WHERE id = ANY(ARRAY(
        SELECT id FROM server WHERE state IN ('ready', 'draining') AND doubt = 4 AND doubt > 0
          AND missed_at < ${new Date(now)}::timestamptz - make_interval(secs => least(${longest}::float8, ${silentAtFirstMs / 1000}::float8 * 2 ^ (misses - 1)))
        LIMIT ${changedAtOnce} FOR NO KEY UPDATE SKIP LOCKED))`;
  }

  private async noteListening(servers: readonly ServerIdentity[]): Promise<void> {
    const ids = servers.map(({ serverId }) => serverId);
    const incarnations = servers.map(({ incarnation }) => incarnation);
    await this.db.$sql.$executeRaw`
      UPDATE server SET doubt = CASE WHEN EXISTS (
          SELECT 1 FROM server AS silent
          WHERE silent.state IN ('ready', 'draining') AND silent.doubt = 4 AND silent.doubt > 0 AND silent.fleet = server.fleet
        ) THEN ${doubts.suspected}::smallint ELSE ${doubts.newcomer}::smallint END
      FROM unnest(${ids}::text[], ${incarnations}::int[]) AS heard (id, incarnation)
      WHERE server.id = heard.id AND server.id = ANY(${ids}::text[]) AND server.incarnation = heard.incarnation AND doubt = ${doubts.unheard}::smallint`;
  }

  private async noteConfirmed(ids: readonly string[]): Promise<void> {
    await this.db.$sql.$executeRaw`
      UPDATE server SET doubt = 0, misses = 0, missed_at = NULL, proved = true
      WHERE id = ANY(${[...ids]}::text[]) AND (doubt <> 0 OR misses <> 0 OR NOT proved)`;
  }
}

/** A server left a command unanswered: it is doubted at once if it has never confirmed a session. The caller holds the server. */
export async function noteMiss(tx: Sql, serverId: string, now: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE server SET misses = least(misses + 1, ${mostMisses}::int), missed_at = ${new Date(now)},
      doubt = CASE WHEN NOT proved OR misses + 1 >= ${missesOfProved}::int THEN ${doubts.silent}::smallint ELSE doubt END
    WHERE id = ${serverId}`;
}
