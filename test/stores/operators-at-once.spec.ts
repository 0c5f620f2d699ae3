import { audited, auditHook, createDb, type AuditedCall } from '@muster/db';
import { message } from '@muster/domain';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { PostgresFleetStore } from '../../apps/allocator/src/fleet/servers.store.js';
import {
  PostgresPardon,
  type PenaltyPosition,
  type PenaltyRange,
} from '../../apps/queue/src/desk/pardon.store.js';
import { PostgresAudit } from '../../apps/queue/src/operators/audit.store.js';
import { PostgresConflicts, type DecidedConflict } from '../../apps/rating/src/ledger/conflicts.store.js';
import { as } from '../support/database.js';
import { Gate } from '../support/gate.js';
import { RatingStores } from '../support/rating-stores.js';
import { aServer, databaseForEach, noon, range, tally } from './fixtures.js';
import { aPool, reported } from './ledger-fixtures.js';
import { inForce, replica } from './rebuild-fixtures.js';

const data = databaseForEach();

/** Ends the transactions that wait at a gate as the death of their process does. */
async function kill(): Promise<void> {
  await data().db.$queryRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`;
}

describe('a conflict', () => {
  const first = { matchId: 'm1', teams: [['ann'], ['bob']], ranks: [1, 2] };
  const ids = (n = 0) => ({ countsAs: 'mat_other', rebuildIds: [`rbd_${n}a`, `rbd_${n}b`] as const });
  const said = (decision: DecidedConflict['decision']): DecidedConflict => ({
    matchId: 'm1',
    decision,
    by: 'olga',
    why: 'The log says so.',
  });
  let ledger: RatingStores;
  const conflicts = () => new PostgresConflicts(as('rating', data().db));

  /** Ann won by the report that counts, Bob by the other; then Bob played Cid. */
  beforeEach(async () => {
    ledger = new RatingStores(as('rating', data().db));
    await ledger.pools.create(aPool());
    await ledger.pools.create(aPool('twin'));
    await ledger.reports.rate(reported(first), noon);
    const other = reported({ ...first, ranks: [2, 1] }, { externalId: 'ext-m1', reportedBy: 'b-server' });
    await ledger.reports.rate(other, noon);
    const then = { teams: [['bob'], ['cid']], ranks: [1, 2] };
    await ledger.reports.rate(reported({ ...then, matchId: 'm2' }), noon + 1);
    // What the ladder is to become.
    await ledger.reports.rate(reported({ ...then, matchId: 't2' }, { pool: 'twin' }), noon + 1);
    await ledger.reports.rate(
      reported({ ...first, matchId: 't1', ranks: [2, 1] }, { pool: 'twin' }),
      noon + 2,
    );
  });

  /** Ratings by player, without what names the match. */
  const ratings = async (pool: string) =>
    await data().db.$queryRaw<{ player: string; state: unknown; matches: number }[]>`
      SELECT player_id AS player, state, matches FROM rating JOIN rating_pool ON name = pool AND rating_pool.generation = rating.generation
      WHERE pool = ${pool} ORDER BY player_id`;

  it('is decided for the other report: the match is void, and that one counts once, as if it had counted alone', async () => {
    const { outcome } = await conflicts().decide(said('other'), ids(), noon + 2);
    expect(outcome).toBe('decided');
    await replica(data().db).work();
    expect(await ratings('ladder')).toEqual(await ratings('twin'));
    const states = await data().db.match.findMany({ where: { pool: 'ladder' }, orderBy: { id: 'asc' } });
    expect(states.map(({ id, state, ranks }) => [id, state, ranks])).toEqual([
      ['m1', 'void', [1, 2]],
      ['m2', 'rated', [1, 2]],
      ['mat_other', 'rated', [2, 1]],
    ]);
    expect(await conflicts().decide(said('other'), ids(1), noon + 3)).toEqual({
      outcome: 'decided',
      decision: 'other',
    });
    expect(await conflicts().decide(said('kept'), ids(2), noon + 3)).toMatchObject({ decision: 'other' });
    await replica(data().db).work();
    expect(await ratings('ladder')).toEqual(await ratings('twin'));
    // Void takes both.
    expect(await conflicts().decide(said('void'), ids(3), noon + 4)).toMatchObject({ decision: 'void' });
    await replica(data().db).work();
    expect((await ratings('ladder')).map(({ player, matches }) => [player, matches])).toEqual([
      ['bob', 1],
      ['cid', 1],
    ]);
  });

  it('has one effect, of which all are told, when operators decide differently at once', async () => {
    const stores = range(3).map(() => new PostgresConflicts(as('rating', data().connect(4))));
    const wanted = range(12).map((i) => (i % 2 === 0 ? ('other' as const) : ('void' as const)));
    const told = await Promise.all(
      wanted.map(async (decision, i) => stores[i % 3]?.decide(said(decision), ids(i), noon + 2)),
    );
    expect(tally(told.map((each) => each?.outcome ?? ''))).toEqual({ decided: 12 });
    expect(told.filter((_, i) => wanted[i] === 'void')).toEqual(
      range(6).map(() => ({ outcome: 'decided', decision: 'void' })),
    );
    while (await replica(data().db).work());
    const voids = await data().db.ratingEvent.findMany({ where: { kind: 'void' } });
    expect(tally(voids.map(({ eventId }) => eventId))).toEqual(
      voids.length === 1 ? { m1: 1 } : { m1: 1, mat_other: 1 },
    );
    expect((await inForce(data().db, 'ladder')).forecasts).toHaveLength(1);
  });

  it('is decided whole or not at all when the service dies, and a repeat decides it once', async () => {
    const gate = await Gate.shut(data().db, { table: 'result_conflict', on: 'UPDATE' });
    const dying = conflicts().decide(said('other'), ids(), noon + 2);
    const died = dying.catch(String);
    await gate.crowd();
    await kill();
    expect(await died).toContain('terminat');
    await gate.open();
    expect(await data().db.match.findMany({ where: { id: { in: ['m1', 'mat_other'] } } })).toMatchObject([
      { id: 'm1', state: 'rated' },
    ]);
    expect(await conflicts().decide(said('other'), ids(), noon + 2)).toMatchObject({ decision: 'other' });
    await replica(data().db).work();
    expect(await ratings('ladder')).toEqual(await ratings('twin'));
  });
});

describe('servers that two operators drain at once', () => {
  it('are changed once each, and the two are told how many each of them changed', async () => {
    const stores = range(2).map(() => new PostgresFleetStore(as('allocator', data().connect(4))));
    for (const i of range(40)) await stores[0]?.register(aServer(`s${String(i).padStart(2, '0')}`), noon);
    const drainAll = async (store: PostgresFleetStore | undefined): Promise<string[]> => {
      const ids: string[] = [];
      for (;;) {
        const some = (await store?.drainSome({ build: aServer('s').build }, true, 7)) ?? [];
        ids.push(...some);
        if (some.length < 7) return ids;
      }
    };
    const changed = (await Promise.all(stores.map(drainAll))).flat();
    expect(tally(changed)).toEqual(
      Object.fromEntries(range(40).map((i) => [`s${String(i).padStart(2, '0')}`, 1])),
    );
  });
});

describe('a bulk of penalties that is forgiven', () => {
  const which: PenaltyRange = { from: noon, to: noon + 1_000, queue: null, region: null };
  const call = (request: string): AuditedCall => ({
    request,
    service: 'queue',
    who: 'olga',
    signIn: 'key',
    keyId: 'key_1',
    role: 'support',
    call: 'forgivePenalties',
    targets: [],
    reason: 'an outage',
    asked: {},
    origin: '10.0.0.1',
  });

  it('goes on where a service died: each is forgiven once, and both calls have their row', async () => {
    await data().db.penalty.createMany({
      data: range(30).map((i) => ({
        id: `pen-${String(i).padStart(2, '0')}`,
        playerId: `p${i}`,
        kind: 'left',
        matchId: `m${i}`,
        queue: 'duel',
        at: new Date(noon + i),
      })),
    });
    const db = createDb(data().url, {
      maxConnections: 2,
      role: { service: 'queue', mode: 'required', warn: () => undefined },
      hook: auditHook,
    });
    onTestFinished(() => db.$disconnect());
    const store = new PostgresPardon(db);
    const forgive = (request: string, at: number): Promise<number> => {
      const lift = { at, why: [message('penalty.forgiven', { detail: 'an outage' })] };
      const run = async (): Promise<number> => {
        let [lifted, after]: [number, PenaltyPosition | null] = [0, null];
        do {
          const page: Awaited<ReturnType<PostgresPardon['lift']>> = await store.lift(which, lift, after, 10);
          [lifted, after] = [lifted + page.lifted, page.next];
        } while (after);
        return lifted;
      };
      return audited(
        db,
        call(request),
        run,
        () => ({}),
        () => 'store-unavailable',
        () => undefined,
      );
    };
    const gate = await Gate.shut(data().db, { table: 'penalty', on: 'UPDATE', when: `NEW.id = 'pen-15'` });
    const died = forgive('one', noon + 5_000).catch(String);
    await gate.crowd();
    await kill();
    expect(await died).toContain('terminat');
    await gate.open();
    expect(await data().db.penalty.count({ where: { forgivenAt: null } })).toBe(20);
    expect(await forgive('two', noon + 6_000)).toBe(20);
    const all = await data().db.penalty.findMany({ orderBy: { id: 'asc' } });
    expect(all.map(({ liftedAt }) => liftedAt?.getTime())).toEqual(
      range(30).map((i) => noon + (i < 10 ? 5_000 : 6_000)),
    );
    const rows = await new PostgresAudit(as('queue', data().db)).page({}, null, 10);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['done', 'store-unavailable', 'done']);
    const [second] = rows;
    expect(second?.before).toHaveLength(10);
    expect(second?.after?.[0]).toMatchObject({ table: 'penalty', id: 'pen-10' });
  });
});
