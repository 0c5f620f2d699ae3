import { MemoryTicketStore } from '@muster/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { PostgresPauses } from '../../apps/queue/src/pauses/pause.store.js';
import { Pauses } from '../../apps/queue/src/pauses/pauses.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';

const data = databaseForEach();
let store: PostgresPauses;
beforeEach(() => (store = new PostgresPauses(as('queue', data().db))));

const replica = (): Pauses =>
  new Pauses(store, new MemoryTicketStore(), { all: [{ name: 'duel' }] }, { now: () => noon });

describe('pauses in Postgres', () => {
  it('outlast the process, and of several operators at once one pause remains', async () => {
    await Promise.all(
      range(10).map((i) =>
        replica().put('duel', { message: `Pause ${i}.`, waiting: 'kept', until: noon + 5_000 }),
      ),
    );
    await replica().put(null, { message: 'New servers.', waiting: 'returned', startsAt: noon + 1_000 });
    const later = replica();
    await later.refresh();
    expect(later.inForce('duel')?.message).toMatch(/^Pause \d\.$/);
    expect(later.maintenance).toEqual({
      queue: null,
      message: 'New servers.',
      waiting: 'returned',
      startsAt: noon + 1_000,
      until: null,
    });
    expect(await data().db.pause.count()).toBe(2);
    expect(await Promise.all([later.end('duel'), replica().end('duel')])).toContain(true);
    expect(await later.end(null)).toBe(true);
    expect(await data().db.pause.count()).toBe(0);
  });
});
