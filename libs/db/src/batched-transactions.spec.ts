import { describe, expect, it } from 'vitest';
import { BatchedTransactions, type BatchedStep } from './batched-transactions.js';
import type { Sql } from './sql.js';
import type { Transactions } from './transaction.js';

/** A database whose transactions do nothing. */
const sql: Sql = { $queryRaw: () => Promise.reject(new Error()), $executeRaw: () => Promise.resolve(0) };
const db: Transactions = { $sql: { transaction: (step) => step(sql) } };

const withCode = (code: string): Error => Object.assign(new Error(code), { code });

/** Doubles numbers. @param refuse throws for items that fail their batch */
function doubling(
  refuse: (items: readonly number[]) => void,
  over: Partial<BatchedStep<number, string>> = {},
) {
  const batches: number[][] = [];
  const alone: number[] = [];
  const transactions = new BatchedTransactions<number, string>(db, {
    maxItems: 8,
    paceMs: 0,
    together: (_tx, items) => {
      batches.push([...items]);
      return Promise.resolve().then(() => {
        refuse(items);
        return items.map((item) => (item < 0 ? null : `together ${item}`));
      });
    },
    alone: (item) => {
      alone.push(item);
      return Promise.resolve(`alone ${item}`);
    },
    ...over,
  });
  return { transactions, batches, alone };
}

describe('BatchedTransactions', () => {
  it('processes the requests of one turn in one transaction, and those that it leaves out alone', async () => {
    const { transactions, batches, alone } = doubling(() => undefined);
    expect(await Promise.all([1, -2, 3].map((item) => transactions.submit('', item)))).toEqual([
      'together 1',
      'alone -2',
      'together 3',
    ]);
    expect(batches).toEqual([[1, -2, 3]]);
    expect(alone).toEqual([-2]);
  });

  it('does not let the others wait for a request that is processed alone', async () => {
    const never = new Promise<string>(() => undefined);
    const { transactions } = doubling(() => undefined, { alone: () => never });
    const [stuck, ...others] = [-1, 2, 3].map((item) => transactions.submit('', item));
    expect(await Promise.all(others)).toEqual(['together 2', 'together 3']);
    // The next batch does not wait for it either.
    expect(await transactions.submit('', 4)).toBe('together 4');
    expect(await Promise.race([stuck, Promise.resolve('waits')])).toBe('waits');
  });

  it('collects the requests that one poll of the event loop finds, each in a turn of its own', async () => {
    const { transactions, batches } = doubling(() => undefined);
    const all = [transactions.submit('', 1)];
    await new Promise<void>((resolve) => process.nextTick(resolve));
    all.push(transactions.submit('', 2));
    await new Promise<void>((resolve) => process.nextTick(resolve));
    all.push(transactions.submit('', 3));
    await Promise.all(all);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('halves a batch that meets a conflict instead of retrying it, and leaves a single request to its own transaction', async () => {
    const { transactions, batches, alone } = doubling((items) => {
      if (items.includes(3)) throw withCode('40P01');
    });
    expect(await Promise.all([1, 2, 3, 4].map((item) => transactions.submit('', item)))).toEqual([
      'together 1',
      'together 2',
      'alone 3',
      'together 4',
    ]);
    expect(batches).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3], [4]]);
    expect(alone).toEqual([3]);
  });

  it('rejects only the request that the database refuses', async () => {
    const { transactions } = doubling((items) => {
      if (items.includes(2)) throw withCode('23514');
    });
    const results = await Promise.allSettled([1, 2, 3].map((item) => transactions.submit('', item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('rejects all requests of a batch, once, when the database is unavailable', async () => {
    const { transactions, batches, alone } = doubling(() => {
      throw withCode('57P03');
    });
    const results = await Promise.allSettled([1, 2].map((item) => transactions.submit('', item)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(batches).toHaveLength(1);
    expect(alone).toEqual([]);
  });
});
