import { RetriesUsedUp, type Sql, transact, verbatim } from '@muster/db';
import { seededRandom } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { databaseForEach } from './fixtures.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();
const quick = { attempts: 4, firstMs: 1, lastMs: 4, random: seededRandom(1) };

/** Runs a step whose first attempts fail. @returns the number of attempts, and the outcome */
async function failing(
  db: Db,
  fail: (tx: Sql) => Promise<unknown>,
  times: number,
): Promise<{ tries: number; outcome: unknown }> {
  let tries = 0;
  const outcome = await transact(
    db,
    async (tx) => {
      tries += 1;
      if (tries <= times) await fail(tx);
      return 'done';
    },
    quick,
  ).catch((error: unknown) => error);
  return { tries, outcome };
}

const raise =
  (state: string) =>
  (tx: Sql): Promise<unknown> =>
    tx.$executeRaw(verbatim(`DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '${state}'; END $$`));

const twoRows = async (tx: Sql): Promise<void> => {
  for (const id of ['ann', 'ann'])
    await tx.$executeRaw`INSERT INTO proposal_verdict (match_id, outcome) VALUES (${id}, 'formed')`;
};

describe('a transaction that lost a conflict', () => {
  it.each(['40001', '40P01', '23505'])('is retried if the driver reports %s', async (state) => {
    expect(await failing(data().db, raise(state), 2)).toEqual({ tries: 3, outcome: 'done' });
  });

  it('is retried on a unique violation', async () => {
    expect(await failing(data().db, twoRows, 1)).toEqual({ tries: 2, outcome: 'done' });
  });

  it('is retried on a conflict at its commit', async () => {
    const { db } = data();
    await db.$executeRaw`
      CREATE FUNCTION refuse_late() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$`;
    await db.$executeRaw`
      CREATE CONSTRAINT TRIGGER refuse_late AFTER INSERT ON outbox DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.owner = 'late') EXECUTE FUNCTION refuse_late()`;
    const late = (tx: Sql): Promise<unknown> =>
      tx.$executeRaw`INSERT INTO outbox (owner, queue, job_id, payload) VALUES ('late', 'q', 'j', '{}')`;
    expect(await failing(db, late, 2)).toEqual({ tries: 3, outcome: 'done' });
  });

  it('fails when its attempts are used up, with the last error as the cause', async () => {
    const { tries, outcome } = await failing(data().db, raise('40P01'), Infinity);
    expect(tries).toBe(4);
    expect(outcome).toBeInstanceOf(RetriesUsedUp);
    expect(outcome).toMatchObject({
      message: 'A transaction lost a conflict 4 times in a row (40P01); its retries are used up.',
      cause: { code: '40P01' },
    });
  });

  it('is not retried for an error that only mentions a code, such as an id', async () => {
    const broken = new Error('match 23505 is not placed although its session 40001 is live');
    expect(await failing(data().db, () => Promise.reject(broken), Infinity)).toEqual({
      tries: 1,
      outcome: broken,
    });
  });

  it('is not retried for other errors', async () => {
    const { tries } = await failing(data().db, raise('22P02'), Infinity);
    expect(tries).toBe(1);
  });
});
