import { PageOfMatches, sentenceOf } from '@muster/contracts';
import type { SqlPart } from '@muster/db';
import { PostgresMatchHistory } from '../../apps/assignment/src/history/match-history.store.js';
import { PostgresMatchStore } from '../../apps/assignment/src/forming/match.store.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { historyOf } from '../../apps/rating/src/ratings/history.store.js';
import { csvHead, csvRows } from '../../apps/assignment/src/history/export-rows.js';
import { MatchStories } from '../../apps/assignment/src/history/match-stories.js';
import {
  type MatchQuery,
  placesOf,
  placesOfPlayer,
} from '../../apps/assignment/src/history/match-places.store.js';
import { aMatch, databaseForEach, noon, range } from './fixtures.js';
import { as } from '../support/database.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();
const minute = 60_000;

/** Rows that the statement read from tables and indexes to answer. */
async function rowsRead(db: Db, { text, values }: Pick<SqlPart, 'text' | 'values'>): Promise<number> {
  const [row] = await db.$queryRawUnsafe<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    ...values,
  );
  return (row?.['QUERY PLAN'] ?? []).reduce((sum, { Plan }) => sum + readBy(Plan), 0);
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function readBy(node: PlanNode): number {
  const scans = node['Node Type'].includes('Scan') && node['Node Type'] !== 'CTE Scan';
  const own = scans
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0;
  return (node.Plans ?? []).reduce((sum, inner) => sum + readBy(inner), own);
}

const ids = (stories: readonly { matchId: string }[]): string[] => stories.map(({ matchId }) => matchId);

describe('the matches of a player', () => {
  it('come newest first, page by page, and nobody else’s with them', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    const history = new PostgresMatchHistory(as('assignment', db));
    for (const n of range(5)) {
      const others = [`o${n}`];
      await store.form(aMatch(`m${n}`, [n === 3 ? ['x'] : ['ann'], others], { formedAt: noon + (n % 2) }));
      await db.livePlayer.deleteMany({});
    }

    const first = await history.ofPlayer('ann', 2);
    expect(ids(first.stories)).toEqual(['m1', 'm4']);
    const second = await history.ofPlayer('ann', 2, first.next ?? undefined);
    expect(ids(second.stories)).toEqual(['m2', 'm0']);
    const third = await history.ofPlayer('ann', 2, second.next ?? undefined);
    expect(third).toEqual({ stories: [], next: null });
  });

  it('are listed, too, when a release stored them that knew no such list', async () => {
    const { db } = data();
    await new PostgresMatchStore(as('assignment', db)).form(aMatch('m1', [['ann'], ['ben']]));
    await db.$executeRaw`INSERT INTO match_player (match_id, player_id, team, mu, sigma) VALUES ('m1', 'cid', 0, 25, 8)`;

    const { stories } = await new PostgresMatchHistory(as('assignment', db)).ofPlayer('cid', 10);
    expect(ids(stories)).toEqual(['m1']);
    const [seat] = await db.matchPlayer.findMany({ where: { playerId: 'cid' } });
    expect(seat?.formedAt).toEqual(new Date(noon));
  });
});

describe('the messages of a match', () => {
  it('are told with its sentences, and not where a release before stored none', async () => {
    const { db } = data();
    const match = aMatch('m1', [['ann'], ['ben']]);
    await new PostgresMatchStore(db).form(match);
    const history = new PostgresMatchHistory(db);
    const story = await history.find('m1');
    expect(story?.whyMessages).toEqual(match.why);
    expect(story?.why).toEqual(match.why.map(sentenceOf));

    await db.$executeRaw`UPDATE match SET why_messages = NULL`;
    const { whyMessages, ...rest } = story ?? {};
    expect(whyMessages).toHaveLength(2);
    expect(await history.find('m1')).toEqual(rest);
  });
});

describe('what the result of a match says', () => {
  it('is told with the match: scores, and the stats of each player', async () => {
    const { db } = data();
    await new PostgresMatchStore(as('assignment', db)).form(aMatch('m1', [['ann'], ['ben']]));
    const history = new PostgresMatchHistory(as('assignment', db));
    expect((await history.find('m1'))?.played).toBeNull();
    const played = { scores: [3, 1], facts: { ann: { kills: 7 } }, stats: { ann: { hero: 'ana' } } };
    await db.$executeRaw`UPDATE match SET played = ${JSON.stringify(played)}::jsonb`;
    const ledger = { changes: async () => [], names: async () => new Map<string, string>() };
    const stories = new MatchStories(history, ledger);
    const statsOf = async (viewer: string | null) =>
      (await stories.read('m1', viewer)).players.map(({ playerId, stats }) => [playerId, stats]);
    expect((await stories.read('m1', null)).scores).toEqual([3, 1]);
    expect(await statsOf(null)).toEqual([
      ['ann', { kills: 7, hero: 'ana' }],
      ['ben', undefined],
    ]);
    expect(await statsOf('ann')).toEqual(await statsOf(null));
    expect(await statsOf('ben')).toEqual([
      ['ann', undefined],
      ['ben', undefined],
    ]);
    const csv = csvHead + csvRows(await stories.read('m1', null));
    const [head = [], ann = []] = csv.split('\r\n').map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));
    const cell = (name: string) => ann[head.indexOf(name)];
    expect(head).toEqual(
      expect.arrayContaining(['map', 'region', 'build', 'role', 'ticket_id', 'joined_at', 'left_at']),
    );
    expect(cell('score')).toBe('3');
    expect(cell('stats')).toBe('"{""kills"":7,""hero"":""ana""}"');
    expect(cell('ticket_id')).not.toBe('');
  });

  it('is searched by queue, server, region and map, in a range of time', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    for (const n of range(4))
      await store.form(aMatch(`m${n}`, [[`a${n}`], [`b${n}`]], { queue: `q${n % 2}` }));
    await db.$executeRaw`
      UPDATE match SET ended_at = formed_at, region = 'eu', map = CASE WHEN id < 'm2' THEN 'mill' END,
        server_id = CASE WHEN id > 'm0' THEN 's1' END`;
    const history = new PostgresMatchHistory(as('assignment', db));
    const found = async (which: Partial<MatchQuery>) =>
      ids((await history.page({ limit: 10, order: 'oldest', from: noon, ...which })).stories);
    expect(await found({ queue: 'q1' })).toEqual(['m1', 'm3']);
    expect(await found({ queue: 'q1', map: 'mill' })).toEqual(['m1']);
    expect(await found({ serverId: 's1', region: 'eu' })).toEqual(['m1', 'm2', 'm3']);
    expect(await found({ region: 'us' })).toEqual([]);
    expect(await found({ playerId: 'a2', serverId: 's1' })).toEqual(['m2']);
    expect(PageOfMatches.safeParse({ queue: 'q1' }).error?.issues).toMatchObject([{ path: ['from'] }]);
    expect(PageOfMatches.safeParse({ queue: 'q1', from: String(noon) }).success).toBe(true);
  });

  it('is searched by server without a range, as long as it is not over', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    for (const n of range(3)) await store.form(aMatch(`m${n}`, [[`a${n}`], [`b${n}`]]));
    await db.$executeRaw`UPDATE match SET state = 'placed', server_id = CASE WHEN id = 'm1' THEN 's1' ELSE 's2' END`;
    const asked = { limit: 10, order: 'newest', state: 'placed', serverId: 's1' } as const;
    const { stories } = await new PostgresMatchHistory(as('assignment', db)).page(asked);
    expect(ids(stories)).toEqual(['m1']);
    expect(PageOfMatches.safeParse({ serverId: 's1', state: 'placed' }).success).toBe(true);
    expect(PageOfMatches.safeParse({ serverId: 's1', state: 'rated' }).success).toBe(false);
  });
});

describe('matches of a time range', () => {
  beforeEach(async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    for (const n of range(6)) await store.form(aMatch(`m${n}`, undefined, { formedAt: noon - n }));
    // In another order than they were formed in; m4 was given up, and m5 runs.
    for (const n of range(4))
      await db.match.update({
        where: { id: `m${n}` },
        data: { state: 'rated', endedAt: new Date(noon + n * minute), closedAt: new Date(noon + 9 * minute) },
      });
    await db.match.update({
      where: { id: 'm4' },
      data: { state: 'abandoned', closedAt: new Date(noon + 4 * minute) },
    });
  });
  const asked: MatchQuery = { limit: 2, order: 'oldest' };

  it.each([
    ['from its beginning on', { from: noon + 2 * minute }, ['m2', 'm3', 'm4']],
    ['up to its end', { to: noon + 2 * minute }, ['m0', 'm1']],
    ['within', { from: noon + minute, to: noon + 4 * minute }, ['m1', 'm2', 'm3']],
    ['of a state', { from: noon, state: 'abandoned' }, ['m4']],
    ['of a player', { from: noon, playerId: 'm3-a' }, ['m3']],
    ['newest first', { from: noon + 2 * minute, order: 'newest' }, ['m4', 'm3', 'm2']],
    ['of another pool', { from: noon, pool: 'elsewhere' }, []],
  ] satisfies [string, Partial<MatchQuery>, string[]][])(
    'come by their end, page by page: %s',
    async (_, narrowed, expected) => {
      const history = new PostgresMatchHistory(as('assignment', data().db));
      const found: string[] = [];
      let cursor: MatchQuery['cursor'];
      do {
        const page = await history.page({ ...asked, ...narrowed, cursor });
        found.push(...ids(page.stories));
        cursor = page.next ?? undefined;
      } while (cursor);
      expect(found).toEqual(expected);
    },
  );
});

describe('a page of history', () => {
  const matches = 20_000;
  const at = (n: number): number => noon + n * minute;

  it('reads no more than is on it, however long history is', async () => {
    const { db } = data();
    await db.$executeRaw`
      INSERT INTO match (id, origin, state, pool, regions, why, prediction, ranks, formed_at, ended_at, closed_at)
      SELECT 'm' || n, 'queue', CASE WHEN n % 5000 = 0 THEN 'void' ELSE 'rated' END, CASE WHEN n % 100 = 0 THEN 'rare' ELSE 'ladder' END,
        '{}', '{}', '{}', '{}', t, t + interval '10 minutes', t + interval '11 minutes'
      FROM (SELECT n, ${new Date(noon)}::timestamptz + n * interval '1 minute' AS t FROM generate_series(1, ${matches}::int) AS n)`;
    // Ann is in all of them, Ben in a few of long ago.
    await db.$executeRaw`
      INSERT INTO match_player (match_id, player_id, team, mu, sigma, formed_at) SELECT id, 'ann', 0, 25, 8, formed_at FROM match`;
    await db.$executeRaw`
      INSERT INTO match_player (match_id, player_id, team, mu, sigma, formed_at)
      SELECT id, 'ben', 1, 25, 8, formed_at FROM match ORDER BY formed_at LIMIT 30`;
    await db.$executeRaw`
      INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail) SELECT n, 'ladder', 'match', 'm' || n, ${new Date(noon)}, '{}'
      FROM generate_series(1, ${matches}::int) AS n`;
    await db.$executeRaw`
      INSERT INTO rating_change (pool, generation, kind, event_id, player_id, sequence, before, after, version, at)
      SELECT pool, 1, kind, event_id, CASE WHEN sequence <= 30 THEN 'ben' ELSE 'ann' END, sequence, '{}', '{}', 1, at FROM rating_event`;
    await db.$executeRaw`VACUUM ANALYZE match, match_player, rating_event, rating_change`;
    const asked: MatchQuery = { limit: 50, order: 'newest' };
    const cursor = { at: at(5_000), matchId: 'm5000' };
    const day = { from: at(5_000), to: at(6_440) };

    const questions: [string, Pick<SqlPart, 'text' | 'values'>][] = [
      ['the newest', placesOf(asked)],
      ['from a cursor on', placesOf({ ...asked, cursor })],
      ['of a pool with few matches', placesOf({ ...asked, pool: 'rare', cursor })],
      ['of a rare state', placesOf({ ...asked, state: 'void' })],
      ['of a day', placesOf({ ...asked, ...day })],
      ['of a day, from a cursor on', placesOf({ ...asked, ...day, cursor })],
      ['the oldest of a day', placesOf({ ...asked, ...day, order: 'oldest' })],
      ['of a day in a pool with few', placesOf({ ...asked, ...day, pool: 'rare' })],
      ['of a player with many', placesOfPlayer('ann', 50)],
      ['of a player with many, from a cursor on', placesOfPlayer('ann', 50, cursor)],
      ['of a player with few, for an operator', placesOf({ ...asked, playerId: 'ben' })],
      ['of a player with few within a day, for an operator', placesOf({ ...asked, ...day, playerId: 'ben' })],
    ];
    questions.push(
      ['of the changes of a rating', historyOf('ladder', 1, 'ben', 50, {})],
      ['of the changes of a rating within a day', historyOf('ladder', 1, 'ben', 50, day)],
    );
    const read = new Map<string, number>();
    for (const [which, statement] of questions) read.set(which, await rowsRead(db, statement));
    expect([...read].filter(([, rows]) => rows > 2 * asked.limit)).toEqual([]);
  });
});
