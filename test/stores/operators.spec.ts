import { PostgresAudit } from '../../apps/queue/src/operators/audit.store.js';
import { PostgresKeyAdministration } from '../../apps/queue/src/operators/operator-keys.store.js';
import {
  audited,
  auditHook,
  createDb,
  PostgresOperatorKeys,
  transact,
  type AuditedCall,
  type Db,
} from '@muster/db';
import { describe, expect, it, onTestFinished } from 'vitest';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';

const data = databaseForEach();
const dayMs = 86_400_000;

/** Connections as a service has them. */
function service(): Db {
  const db = createDb(data().url, {
    maxConnections: 4,
    role: { service: 'queue', mode: 'required', warn: () => undefined },
    hook: auditHook,
  });
  onTestFinished(() => db.$disconnect());
  return db;
}

const aCall = (request: string, over: Partial<AuditedCall> = {}): AuditedCall => ({
  request,
  service: 'queue',
  who: 'ann',
  signIn: 'key',
  keyId: 'key_1',
  role: 'support',
  call: 'forgivePenalty',
  targets: ['p1'],
  reason: 'an outage',
  asked: { playerId: 'p1' },
  origin: '10.0.0.1',
  ...over,
});

const outcomeOf = (): string => 'refused';
const lost: unknown[] = [];

/** Runs a call as a service does. */
const run = <T>(db: Db, call: AuditedCall, step: () => Promise<T>): Promise<T> =>
  audited(
    db,
    call,
    step,
    () => ({ answered: true }),
    outcomeOf,
    (row) => lost.push(row),
  );

const rows = () => new PostgresAudit(as('queue', data().db)).page({}, null, 100);
const outcomes = async (): Promise<string[]> => (await rows()).map(({ outcome }) => outcome).toReversed();

/** A change of a table that the queue may write. */
const insert = (sql: Pick<Db['$sql'], '$executeRaw'>, playerId: string): Promise<number> =>
  sql.$executeRaw`INSERT INTO player_request (player_id, kind, requested_at) VALUES (${playerId}, 'export', now())`;

const requests = async (): Promise<number> => (await data().db.playerRequest.findMany()).length;

describe('a change by an operator', () => {
  it('has its row in the transaction of the change', async () => {
    const db = service();
    await run(db, aCall('one'), () =>
      transact(db, async (tx) => {
        await insert(tx, 'p1');
        await tx.$executeRaw`
          INSERT INTO operator_key (id, name, role, hash, created_at, created_by) VALUES ('k', 'ann', 'admin', 'h', ${new Date(noon)}, 'root')`;
        await tx.$executeRaw`UPDATE operator_key SET revoked_at = ${new Date(noon)} WHERE id = 'k'`;
      }),
    );
    expect(await rows()).toMatchObject([
      {
        who: 'ann',
        call: 'forgivePenalty',
        targets: ['p1'],
        reason: 'an outage',
        asked: { playerId: 'p1' },
        before: [{ table: 'operator_key', id: 'k', revoked_at: null }],
        after: [
          { table: 'operator_key', id: 'k', name: 'ann', role: 'admin', created_by: 'root' },
          { table: 'operator_key', id: 'k', revoked_at: '2026-01-15T12:00:00+00:00' },
        ],
        outcome: 'done',
      },
    ]);
    const [{ same } = { same: false }] = await data().db.$queryRaw<{ same: boolean }[]>`
      SELECT audit_entry.xmin = player_request.xmin AS same FROM audit_entry, player_request`;
    expect(same).toBe(true);
  });

  it('that is a single statement is committed with its row, too', async () => {
    const db = service();
    await run(db, aCall('one'), () => insert(db.$sql, 'p1'));
    const [{ same } = { same: false }] = await data().db.$queryRaw<{ same: boolean }[]>`
      SELECT audit_entry.xmin = player_request.xmin AS same FROM audit_entry, player_request`;
    expect(same).toBe(true);
  });

  it('that is rolled back leaves its refusal, and the change of before a later failure stays told', async () => {
    const db = service();
    const failing = run(db, aCall('one'), () =>
      transact(db, async (tx) => {
        await insert(tx, 'p1');
        throw new Error('no');
      }),
    );
    await expect(failing).rejects.toThrow('no');
    expect([await requests(), await outcomes()]).toEqual([0, ['refused']]);
    const later = run(db, aCall('two'), async () => {
      await insert(db.$sql, 'p1');
      throw new Error('later');
    });
    await expect(later).rejects.toThrow('later');
    expect([await requests(), await outcomes()]).toEqual([1, ['refused', 'done', 'refused']]);
  });

  it('that changes no row, though it locks some, has its row of the log at its end', async () => {
    const db = service();
    await data().db.$executeRaw`
      INSERT INTO operator_key (id, name, role, hash, created_at, created_by) VALUES ('k', 'ann', 'admin', 'h', now(), 'root')`;
    await run(db, aCall('one'), async () => {
      await transact(db, (tx) => tx.$queryRaw`SELECT 1 FROM operator_key FOR UPDATE`);
      expect(await outcomes()).toEqual([]);
    });
    expect(await outcomes()).toEqual(['done']);
  });

  it('has one row after conflicts and repeated writes', async () => {
    const db = service();
    await insert(db.$sql, 'p1');
    let attempts = 0;
    await run(db, aCall('one'), () =>
      transact(db, async (tx) => {
        attempts++;
        await insert(tx, attempts === 1 ? 'p1' : 'p2');
      }),
    );
    expect([attempts, await outcomes()]).toEqual([2, ['done']]);
    await run(db, aCall('one'), async () => undefined);
    expect(await outcomes()).toEqual(['done']);
    expect(lost).toEqual([]);
  });
});

describe('the audit log', () => {
  it('is found by who, call, target and time, in pages', async () => {
    const db = service();
    for (const i of range(5))
      await run(
        db,
        aCall(`r${i}`, {
          who: i % 2 === 0 ? 'ann' : 'bob',
          call: i < 3 ? 'voidMatch' : 'drainServer',
          targets: [`t${i}`, 'all'],
        }),
        async () => undefined,
      );
    const log = new PostgresAudit(as('queue', data().db));
    const found = async (query: Parameters<PostgresAudit['page']>[0]): Promise<string[]> =>
      (await log.page(query, null, 10)).map(({ targets }) => targets[0] ?? '');
    expect(await found({})).toEqual(['t4', 't3', 't2', 't1', 't0']);
    expect(await found({ who: 'bob' })).toEqual(['t3', 't1']);
    expect(await found({ who: 'ann', call: 'voidMatch' })).toEqual(['t2', 't0']);
    expect(await found({ target: 't3' })).toEqual(['t3']);
    expect(await found({ target: 'all', who: 'bob', call: 'drainServer' })).toEqual(['t3']);
    expect(await found({ to: noon })).toEqual([]);
    expect(await found({ from: noon })).toHaveLength(5);
    const [first, second] = await log.page({}, null, 2);
    expect((await log.page({}, second?.id ?? 0n, 2)).map(({ targets }) => targets[0])).toEqual(['t2', 't1']);
    expect(first?.id).toBeGreaterThan(second?.id ?? 0n);
  });

  it('is changed by no service, and by its owner only when a row is old', async () => {
    const db = service();
    await run(db, aCall('one'), async () => undefined);
    for (const role of ['queue', 'assignment', 'allocator', 'rating'] as const) {
      const sql = as(role, data().db).$sql;
      await expect(sql.$executeRaw`UPDATE audit_entry SET who = 'bob'`).rejects.toThrow(/permission denied/);
      await expect(sql.$executeRaw`DELETE FROM audit_entry`).rejects.toThrow(/permission denied/);
    }
    const owner = data().db;
    await expect(owner.$executeRaw`UPDATE audit_entry SET who = 'bob'`).rejects.toThrow(/append-only/);
    await expect(owner.$executeRaw`DELETE FROM audit_entry`).rejects.toThrow(/append-only/);
  });

  it('forgets old rows alone, whatever is asked', async () => {
    const db = service();
    for (const i of range(3)) await run(db, aCall(`r${i}`), async () => undefined);
    await data().db.$executeRaw`
      INSERT INTO audit_entry (request, at, service, who, sign_in, role, call, targets, origin, outcome)
      VALUES ('old', now() - interval '40 days', 'queue', 'ann', 'key', 'admin', 'old', '{}', '', 'done')`;
    const log = new PostgresAudit(as('queue', data().db));
    expect(await log.forget(Date.now() - 50 * dayMs, 10)).toBe(false);
    expect(await rows()).toHaveLength(4);
    expect(await log.forget(Date.now() + dayMs, 10)).toBe(false);
    expect((await rows()).map(({ call }) => call)).not.toContain('old');
    expect(await rows()).toHaveLength(3);
    await expect(as('rating', data().db).$sql.$queryRaw`SELECT forget_audit(now(), 10)`).rejects.toThrow(
      /permission denied/,
    );
  });
});

describe('keys of operators', () => {
  const limits = { ofName: 2, inAll: 4 };
  const keys = () => new PostgresKeyAdministration(as('queue', data().db));
  const aKey = (keyId: string, name = 'ann', expiresAt: number | null = null) => ({
    keyId,
    name,
    role: 'support' as const,
    hash: `hash of ${keyId}`,
    by: 'root',
    now: Date.now(),
    expiresAt,
  });

  it('are two of a name and limited in all, also when they are created at once', async () => {
    const made = await Promise.all(range(6).map((i) => keys().create(aKey(`k${i}`), limits)));
    expect(made.filter((each) => 'id' in each)).toHaveLength(2);
    expect(await keys().create(aKey('b1', 'bob'), limits)).toHaveProperty('id');
    expect(await keys().create(aKey('c1', 'cid'), limits)).toHaveProperty('id');
    expect(await keys().create(aKey('d1', 'dan'), limits)).toEqual({ ofName: 0, inAll: 4 });
  });

  it('are valid until they are revoked or expire, for every service', async () => {
    await keys().create(aKey('k1'), limits);
    await keys().create(aKey('k2', 'ann', Date.now() + dayMs), limits);
    await keys().create(aKey('k3', 'bob', Date.now() - 1), limits);
    const revoked = await keys().revoke('k1', noon);
    expect(revoked?.revoked_at?.getTime()).toBe(noon);
    expect((await keys().revoke('k1', noon + 5))?.revoked_at?.getTime()).toBe(noon);
    expect(await keys().revoke('none', noon)).toBeUndefined();
    for (const role of ['queue', 'assignment', 'allocator', 'rating'] as const) {
      const store = new PostgresOperatorKeys(as(role, data().db));
      expect((await store.valid()).map(({ id }) => id)).toEqual(['k2']);
      await store.used('k2');
    }
    const listed = await keys().list();
    expect(listed.map(({ id }) => id).toSorted()).toEqual(['k1', 'k2', 'k3']);
    expect(listed.find(({ id }) => id === 'k2')?.last_used_at).toBeInstanceOf(Date);
    await keys().deleteEnded(noon + 1, noon + 1);
    expect((await keys().list()).map(({ id }) => id).toSorted()).toEqual(['k2', 'k3']);
  });
});
