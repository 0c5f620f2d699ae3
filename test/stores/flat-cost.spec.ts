import { RatingStores } from '../support/rating-stores.js';
import { noSpares, type ReceivedResult } from '@muster/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { databaseForEach, noon, timeouts, range } from './fixtures.js';
import { PostgresStatsFits } from '../../apps/rating/src/newcomers/stats-fits.store.js';
import { PostgresMatchHistory } from '../../apps/assignment/src/history/match-history.store.js';
import { PostgresCalibrationStore } from '../../apps/queue/src/calibration/calibration.store.js';
import { PostgresBehaviourStore } from '../../apps/queue/src/standing/behaviour.store.js';
import { PostgresPenaltyStore } from '../../apps/queue/src/standing/penalty.store.js';
import { openCases } from '../../apps/rating/src/integrity/case-figures.store.js';
import { IntegrityRetention } from '../../apps/rating/src/integrity/integrity-retention.store.js';
import { HabitNotes } from '@muster/platform';
import { PostgresBots } from '../../apps/rating/src/line-protocol/bots.store.js';
import { PostgresCases } from '../../apps/rating/src/integrity/cases.store.js';
import { RaiseUncertainty } from '../../apps/rating/src/integrity/raise.store.js';
import { IntegrityWatch } from '../../apps/rating/src/integrity/watch.store.js';
import { PostgresOutages } from '../../apps/allocator/src/sessions/outages.store.js';
import { House, type Held } from './house.js';
import { watchedAll } from './integrity-fixtures.js';
import { countingIds } from './rebuild-fixtures.js';
import { fillHistory, growing, pretend, rowsReadBy } from '../support/synthetic-history.js';
import { addAllToTotals, aPool, reported } from './ledger-fixtures.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();
const minute = 60_000;
/** The most rows and index entries that a test reads: a twentieth of a table. */
const mostRead = 1_000;

const made = { matches: 20_000, players: 17_000, recent: 20_000 };
/** What the planner is told that the tables contain. */
const wanted = { matches: 10_000_000, players: 100_000, recent: 10_000_000 };

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Filter?: string;
  readonly 'Join Filter'?: string;
  readonly Plans?: readonly Plan[];
}

function scanned(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scanned)].filter((table) => growing.includes(table));
}

/** "id <> ALL (a list parameter)" compares every row with every entry. */
const comparesEachWithEach = /<> ALL \(\$\d+\)/;

/** The per-row work of the plan, whatever the tables. */
function compared(plan: Plan): string[] {
  const own = [plan.Filter, plan['Join Filter']].filter((test) => comparesEachWithEach.test(test ?? ''));
  return [...own.map(String), ...(plan.Plans ?? []).flatMap(compared)];
}

/** The indexes that a plan uses. */
function indexesOf(plan: Plan): string[] {
  const own = plan['Index Name'];
  return [...(own === undefined ? [] : [own]), ...(plan.Plans ?? []).flatMap(indexesOf)];
}

/** A text that is sent twice is prepared, which needs parameters. */
let explained = 0;

/** The prepared statements, with their generic plans. */
async function plansOf(db: Db): Promise<{ statement: string; plans: Plan[] }[]> {
  const kept = await db.$queryRaw<{ statement: string }[]>`SELECT statement FROM pg_prepared_statements`;
  const found: { statement: string; plans: Plan[] }[] = [];
  for (const { statement } of kept) {
    if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(statement)) continue;
    const [row] = await db.$queryRawUnsafe<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
      `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement} -- ${(explained += 1)}`,
    );
    found.push({ statement, plans: (row?.['QUERY PLAN'] ?? []).map(({ Plan: plan }) => plan) });
  }
  return found;
}

/** Prepared statements whose generic plan costs more as history grows. */
async function costly(db: Db): Promise<{ statement: string; because: string[] }[]> {
  return (await plansOf(db)).flatMap(({ statement, plans }) => {
    const because = plans.flatMap((plan) => [...scanned(plan), ...compared(plan)]);
    return because.length > 0 ? [{ statement, because }] : [];
  });
}

/** The number of scans of each growing table, by any plan. */
async function scanCounts(db: Db): Promise<Record<string, number>> {
  await db.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const rows = await db.$queryRaw<{ table: string; scans: number }[]>`
    SELECT relname AS table, seq_scan::int AS scans FROM pg_stat_user_tables WHERE relname = ANY(${[...growing]}::text[])
    ORDER BY relname`;
  return Object.fromEntries(rows.map(({ table, scans }) => [table, scans]));
}

/** The number of rows of servers and of their index entries read so far. */
async function readOfServers(db: Db): Promise<number> {
  await db.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [row] = await db.$queryRaw<{ read: number }[]>`
    SELECT (seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'server'))::int AS read
    FROM pg_stat_user_tables WHERE relname = 'server'`;
  return row?.read ?? 0;
}

const result = (matchId: string): ReceivedResult => ({
  ranks: [1, 2],
  digest: matchId,
  body: { ranks: [1, 2] },
});

describe('the cost of the loop does not grow with history', () => {
  let db: Db;
  let house: House;
  let ledger: RatingStores;
  beforeEach(async () => {
    // One connection for all: its prepared statements and counters are those of the test.
    db = data().connect(1);
    house = new House(db, () => db);
    ledger = new RatingStores(db);
    await ledger.pools.create(aPool());
    await fillHistory(db, made);
    await pretend(db, made, wanted);
  });

  /** Several times, because a statement is prepared at its second run. */
  async function flat(step: (round: number) => Promise<unknown>): Promise<void> {
    const before = await scanCounts(db);
    const read = await rowsReadBy(db, async () => {
      for (const round of range(3)) await step(round);
    });
    expect(read).toBeLessThan(mostRead);
    expect(await costly(db)).toEqual([]);
    expect(await scanCounts(db)).toEqual(before);
  }

  it('a match that is rated does not scan the ratings of the whole pool', async () => {
    const played: Held[] = [];
    await house.server('s1', { slots: 10 });
    for (const round of range(3)) {
      const held = await house.live(`m${round}`);
      await house.allocator.sessions.receive(
        held.sessionId,
        held.server,
        result(held.matchId),
        noon + minute,
      );
      played.push(held);
    }
    await flat(async (round) => {
      await ledger.matches.rate(played[round]?.matchId ?? '', noon + minute);
      const match = reported({ matchId: `r${round}`, teams: [['ann'], ['bob']], ranks: [1, 2] });
      await ledger.reports.rate(match, noon);
    });
  });

  it('a placement from stats reads a page of the ledger, or the matches of one player', async () => {
    const fits = new PostgresStatsFits(db);
    let before: bigint | null = null;
    await flat(async () => {
      before = (await fits.matchesBefore('ladder', before, 50)).next;
      await fits.matchesOf('ladder', 1, 'player-1', 10);
    });
  });

  it('the loop of a match scans neither sessions nor commands, nor compares each session with each', async () => {
    const server = await house.server('s1', { slots: 10 });
    const { allocator } = house;
    await flat(async (round) => {
      const held = await house.live(`m${round}`);
      await allocator.commands.commandsAfter(server, 0);
      await allocator.fleet.heartbeat(server, { cpuLoad: 0.5, sessions: [held.sessionId] }, noon, noon);
      await allocator.fleet.heartbeat(server, { cpuLoad: 0.5, sessions: [] }, noon - minute, noon);
      await allocator.sessions.receive(held.sessionId, server, result(held.matchId), noon + minute);
      await allocator.placement.duePlacements(noon, 10);
      await allocator.placement.giveUp(noon, 10);
      await allocator.sessions.withdrawUnanswered(noon, 10);
      await allocator.sessions.loseOverdue(noon - minute, noon, 10);
      await allocator.silence.loseSilent(timeouts, noon, 10);
      await allocator.placement.makePlacementsDue(noon, 10);
      await allocator.shortages.claimShortages({ everyMs: minute, startMs: minute, spares: noSpares }, noon);
      await allocator.backfills.endOverdue(noon, 10);
      await allocator.backfills.withdrawSeats(noon - minute, 10);
      await allocator.retention.forget({ servers: 0, sessions: 0 }, 10);
      await house.matches.deleteVerdicts(0, 10);
      await new PostgresOutages(db).lift(noon + minute);
    });
  });

  it('lists and histories read what they return, whatever there is besides', async () => {
    const history = new PostgresMatchHistory(db);
    const penalties = new PostgresPenaltyStore(db);
    const reports = new PostgresBehaviourStore(db);
    const searches = new PostgresCalibrationStore(db);
    const pool = await ledger.ratings.pool('ladder');
    await addAllToTotals(data().db, ledger);
    await flat(async (round) => {
      const player = `old-${round}`;
      const players = [player, `old-${100 + round}`];
      await history.find(`old-${5_000 + round}`);
      await history.page({ limit: 5, order: 'newest' });
      await history.page({ limit: 5, order: 'newest', state: 'placed', serverId: 'old-1' });
      await history.ofPlayer(player, 5);
      await ledger.history.of(pool, player, 5, { from: 0 });
      await ledger.ratings.page(pool, player, 5);
      await ledger.ratings.of('ladder', players);
      await ledger.history.changes([`old-${5_000 + round}`]);
      await new PostgresBots(db).of(pool, 5);
      await ledger.rated.latest(pool, 5);
      await ledger.rated.newest(pool);
      await ledger.rated.predictions(pool, 5);
      await ledger.rated.count(pool);
      await ledger.matches.endedBefore(noon, 5);
      await ledger.rated.addToTotals(5);
      await penalties.of(players, 0);
      await penalties.list(player, 5);
      await reports.marksOf(players, 0);
      await reports.reportsOn(player, 5);
      await searches.open('ladder', players);
      await searches.concluded(5);
      await house.allocator.sessions.conflicts(5);
      await house.allocator.fleet.servers('', 5);
      await house.matches.formedBefore(noon, 5);
    });
  });

  it('batches of answers, results and ratings find rows by their keys, not all rows of a state or a pool', async () => {
    await house.server('s1', { slots: 20 });
    const all: Held[][] = [];
    for (const round of range(3)) {
      const batch: Held[] = [];
      for (const i of range(4)) batch.push(await house.reserved(`r${round}-${i}`));
      all.push(batch);
    }
    const { allocator } = house;
    const before = new Set((await plansOf(db)).map(({ statement }) => statement));
    await flat(async (round) => {
      const batch = all[round] ?? [];
      await Promise.all(
        batch.map(({ server, seq }) => allocator.commands.answer(server, seq, { status: 'done' }, noon)),
      );
      await Promise.all(
        batch.map(({ sessionId, server, matchId }) =>
          allocator.sessions.receive(sessionId, server, result(matchId), noon + minute),
        ),
      );
      const rated = await Promise.all(
        batch.map(({ matchId }) => ledger.matches.rate(matchId, noon + minute)),
      );
      expect(rated.map(({ outcome }) => outcome)).toEqual(batch.map(() => 'rated'));
    });
    // The statistics know no session that is live. An index of the live ones looks empty, and in fact is as large as the game.
    const plans = (await plansOf(db)).flatMap((each) => (before.has(each.statement) ? [] : each.plans));
    const used = new Set(plans.flatMap(indexesOf));
    expect([...used]).toEqual(expect.arrayContaining(['command_pkey', 'match_pkey', 'session_pkey']));
    const ofStateOrPool =
      /^session_(live_since|answer_due|open|server)|^command_(pending|seats)|^match_(open|state|pool)/;
    expect([...used].filter((index) => ofStateOrPool.test(index))).toEqual([]);
  });

  it('signals read the matches that they count, whatever there is besides', async () => {
    const pool = await ledger.ratings.pool('ladder');
    await ledger.pools.change(
      pool,
      { ...pool.rules, integrity: { uncertainty: 0.5 } },
      pool.calibration,
      'a test',
    );
    const watch = new IntegrityWatch(db, countingIds(), 5);
    const cases = new PostgresCases(db);
    const raise = new RaiseUncertainty(db);
    const retention = new IntegrityRetention(db);
    const notes = new HabitNotes(db, (_pool, habits) =>
      Object.entries(habits).flatMap(([playerId, kinds]) =>
        Object.entries(kinds).map(([kind, code]) => ({ playerId, kind, code: `${kind}-${code}` })),
      ),
    );
    // A new account with the device and the network of three others.
    const meet = async (name: string): Promise<void> => {
      const match = reported({ matchId: name, teams: [['old-1'], [`new-${name}`]], ranks: [1, 2] });
      await ledger.reports.rate(match, noon);
      await notes.note(name, { [`new-${name}`]: { device: '1000', network: '1000', settings: '1' } }, noon);
      await watchedAll(db, 'ladder', watch);
    };
    await watch.follow('ladder', noon);
    await db.$executeRaw`UPDATE integrity_cursor SET through = newest, mark = newest FROM (SELECT max(sequence) AS newest FROM rating_event) AS last`;
    // How many report a kind is counted up to 10,000, and then used for ten minutes.
    await meet('first');
    await flat(async (round) => {
      const match = reported({ matchId: `r${round}`, teams: [['old-1'], ['old-2']], ranks: [1, 2] });
      await ledger.reports.rate(match, noon);
      await meet(`n${round}`);
      await cases.list({ state: 'open', limit: 5 });
      await openCases(db, 5);
      await cases.list({ state: 'closed', limit: 5, pool: 'ladder', player: 'old-1' });
      await raise.next(noon);
      await retention.deleteEvidence(0, 5);
      await retention.deleteHabits(0, 5);
      await retention.deleteCases(0, 5);
    });
    expect((await cases.list({ state: 'open', limit: 5, kind: 'alternate' })).length).toBeGreaterThan(0);
  });

  it('the builds of servers are found without reading each server', async () => {
    await db.$executeRaw`
      INSERT INTO server (id, region, build, host, port, slots, state, heartbeat_at, registered_at)
      SELECT 'up-' || i, 'eu', 'b' || i % 3, 'h', 1, 100, CASE WHEN i % 2 = 0 THEN 'ready' ELSE 'draining' END, now(), now()
      FROM generate_series(1, 20000) AS i`;
    await db.$executeRaw`INSERT INTO server (id, region, build, host, port, slots, state, heartbeat_at, registered_at)
      SELECT state, 'eu', 'b9', 'h', 1, 100, state, now(), now() FROM unnest(ARRAY['lost', 'left']) AS state`;
    await db.$executeRawUnsafe('ANALYZE server');
    const { allocator } = house;
    // Index entries of deleted servers are read until Postgres has removed them.
    const before = await readOfServers(db);
    await flat(async () => expect(await allocator.fleet.builds(100)).toEqual(['b0', 'b1', 'b2']));
    expect(await allocator.fleet.builds(2)).toEqual(['b0', 'b1']);
    expect((await readOfServers(db)) - before).toBeLessThan(mostRead);
  });
});
