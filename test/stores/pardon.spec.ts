import { message } from '@muster/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  PostgresPardon,
  type PenaltyPosition,
  type PenaltyRange,
} from '../../apps/queue/src/desk/pardon.store.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';

const data = databaseForEach();
let store: PostgresPardon;
beforeEach(() => (store = new PostgresPardon(as('queue', data().db))));

const why = { at: noon + 60_000, why: [message('penalty.forgiven', { detail: 'an outage' })] };
const all: PenaltyRange = { from: noon, to: noon + 1_000, queue: null, region: null };

/** Lifts a range page by page. */
async function lift(which: PenaltyRange, limit: number): Promise<number[]> {
  const pages: number[] = [];
  let after: PenaltyPosition | null = null;
  do {
    const page: Awaited<ReturnType<PostgresPardon['lift']>> = await store.lift(which, why, after, limit);
    pages.push(page.lifted);
    after = page.next;
  } while (after);
  return pages;
}

describe('penalties that are forgiven in bulk', () => {
  it('are those of the range, each once, also of one moment, and those of others stay', async () => {
    const penalties = range(250).map((i) => ({
      id: `pen-${String(i).padStart(3, '0')}`,
      playerId: `p${i}`,
      kind: 'declined',
      matchId: `m${i}`,
      queue: i % 5 === 0 ? 'squad' : 'duel',
      // Many of one moment, and one after the range.
      at: new Date(i === 249 ? noon + 1_000 : noon + Math.floor(i / 100)),
    }));
    await data().db.penalty.createMany({ data: penalties });
    expect((await lift({ ...all, queue: 'squad' }, 100)).reduce((sum, n) => sum + n, 0)).toBe(50);
    expect(await lift({ ...all, queue: 'squad' }, 100)).toEqual([0, 0, 0]);
    expect((await lift(all, 30)).reduce((sum, n) => sum + n, 0)).toBe(199);
    const left = await data().db.penalty.findMany({ where: { forgivenAt: null } });
    expect(left.map(({ id }) => id)).toEqual(['pen-249']);
    const one = await data().db.penalty.findFirst({ where: { id: 'pen-001' } });
    expect(one).toMatchObject({ liftedAt: new Date(why.at), liftedWhy: 'An operator forgave it: an outage' });
  });
});
