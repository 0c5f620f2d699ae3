import { beforeEach, describe, expect, it } from 'vitest';
import { Names } from '../../apps/rating/src/names/names.js';
import { PostgresPlayerNames } from '../../apps/rating/src/names/names.store.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';

const data = databaseForEach();
const minuteMs = 60_000;
const dayMs = 86_400_000;
let at: number;
const clock = { now: () => at };
beforeEach(() => {
  at = noon;
});

const store = (): PostgresPlayerNames => new PostgresPlayerNames(as('rating', data().db), clock);
const stored = async () =>
  Object.fromEntries(
    (await data().db.playerName.findMany()).map(({ playerId, name, seenAt }) => [
      playerId,
      [name, seenAt.getTime()],
    ]),
  );

/** Counts the statements that store names. */
class CountingNames extends PostgresPlayerNames {
  notes = 0;

  override note(names: ReadonlyMap<string, string>): Promise<void> {
    this.notes++;
    return super.note(names);
  }
}

describe('display names', () => {
  it('are the last ones told, whatever characters they have', async () => {
    const names = new Names(store(), clock);
    const odd = `"O'Neil" \\ <b>'; DROP TABLE rating;-- 🐉 نام`;
    expect(await names.note({ ann: 'Ann', ben: odd })).toBe(2);
    await names.noteVouched({ playerId: 'ann', name: 'Ann the Bold' });
    await names.noteVouched({ playerId: 'cid' });
    expect(await names.of(['ann', 'ben', 'cid'])).toEqual(
      new Map([
        ['ann', 'Ann the Bold'],
        ['ben', odd],
      ]),
    );
    expect(await names.nameOf('cid')).toBeNull();
    expect(await names.of([])).toEqual(new Map());
  });

  it('that were stored a short while ago are not stored again', async () => {
    const counting = new CountingNames(as('rating', data().db), clock);
    const names = new Names(counting, clock);
    for (const _round of range(10)) await names.noteVouched({ playerId: 'ann', name: 'Ann' });
    expect(counting.notes).toBe(1);
    // Another process stored another name meanwhile; this one is told again soon.
    await new Names(store(), clock).noteVouched({ playerId: 'ann', name: 'Anna' });
    at += 11 * minuteMs;
    await names.noteVouched({ playerId: 'ann', name: 'Ann' });
    expect(await names.nameOf('ann')).toBe('Ann');
  });

  it('are deleted when nobody told them for their retention', async () => {
    const names = new Names(store(), clock);
    await names.note({ ann: 'Ann', ben: 'Ben', cid: 'Cid' });
    at += 2 * dayMs;
    await names.note({ ann: 'Ann' });
    expect(await stored()).toMatchObject({ ann: ['Ann', at], ben: ['Ben', noon] });
    expect(await store().deleteUnseen(noon, 10)).toBe(false);
    expect(await store().deleteUnseen(noon + dayMs, 1)).toBe(true);
    expect(await store().deleteUnseen(noon + dayMs, 10)).toBe(false);
    expect(Object.keys(await stored())).toEqual(['ann']);
  });

  it('are told by many at once without a deadlock', async () => {
    const told = range(30).map((i) => [`p${i}`, `name ${i}`] as const);
    await Promise.all(
      range(8).map((round) =>
        new Names(store(), clock).note(Object.fromEntries(round % 2 === 0 ? told : told.toReversed())),
      ),
    );
    expect(Object.keys(await stored())).toHaveLength(30);
  });
});
