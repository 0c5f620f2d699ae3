import { message, type FormedMatch, type PlacementTimeouts, type ServerRegistration } from '@muster/domain';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { migratedDatabase, TestDatabase } from '../support/database.js';
import type { Db } from '../support/prisma.js';

/** The fixed time of these tests. */
export const noon = Date.UTC(2026, 0, 15, 12);

/** A fleet of one server is judged as soon as it is silent. */
export const timeouts: PlacementTimeouts = {
  answerMs: 5_000,
  silenceMs: 10_000,
  massSilenceMs: 10_000,
  avoidMs: 15_000,
};

/** Registers hooks: one migrated database per file, reset for each test. */
export function databaseForEach(): () => TestDatabase {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = new TestDatabase(await migratedDatabase(inject('postgresUrl')), inject('poolerPort'));
  });
  beforeEach(() => database?.reset());
  afterAll(() => database?.close());
  return () => {
    if (!database) throw new Error('there is a database only within a test');
    return database;
  };
}

/** A match in the form that assignment stores: every player has a ticket of their own. */
export function aMatch(
  matchId: string,
  teams: readonly (readonly string[])[] = [[`${matchId}-a`], [`${matchId}-b`]],
  over: Partial<FormedMatch> = {},
): FormedMatch {
  return {
    matchId,
    queue: 'ranked',
    pool: 'ladder',
    build: 'b1',
    regions: [],
    rules: { mode: 'duel', placementTimeoutSeconds: 60, resumeSeconds: 0 },
    map: null,
    bots: teams.map(() => 0),
    split: {
      method: 'trivial',
      because: 'there is one way',
      certificate: { status: 'proven', value: 0, lowerBound: 0, gap: 0, reason: 'exhausted', quantum: 0 },
      sums: teams.map((team) => 25 * team.length),
      difference: 0,
      ways: 1,
      ranked: true,
      operations: 1,
      rejected: null,
    },
    why: [message('match.newcomers', { newcomers: 1 }), message('split.proven')],
    prediction: teams.map(() => 1 / teams.length),
    players: teams.flatMap((team, t) =>
      team.map((playerId) => ({
        playerId,
        team: t,
        ticketId: ticketOf(playerId),
        mu: 25,
        sigma: 25 / 3,
        waitedMs: 1_500,
      })),
    ),
    placementTimeoutSeconds: 60,
    proposedAt: noon - 10,
    formedAt: noon,
    ...over,
  };
}

export function ticketOf(playerId: string): string {
  return `tkt-${playerId}`;
}

export function aServer(serverId: string, over: Partial<ServerRegistration> = {}): ServerRegistration {
  return {
    serverId,
    region: 'eu',
    build: 'b1',
    host: `${serverId}.example`,
    port: 7_777,
    slots: 1,
    resume: [],
    ...over,
  };
}

/** The outbox jobs of a commit, without generated ids. */
export async function promisesOf(
  db: Db,
): Promise<{ owner: string; queue: string; jobId: string; payload: unknown }[]> {
  const rows = await db.outbox.findMany({ orderBy: { id: 'asc' } });
  return rows.map(({ owner, queue, jobId, payload }) => ({ owner, queue, jobId, payload }));
}

export function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

/** The count of each value. */
export function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
