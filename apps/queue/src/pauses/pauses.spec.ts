import { InMaintenance, QueuePaused, TimePast, type Pause } from '@muster/domain';
import { aTicket, MemoryTicketStore } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { Pauses } from './pauses.js';

const start = 1_000_000;

/** Replicas that share a store of pauses. */
function setUp() {
  const rows = new Map<string | null, Pause>();
  const clock = { at: start, now: () => clock.at };
  const store = {
    all: async () => [...rows.values()],
    put: async (pause: Pause) => void rows.set(pause.queue, pause),
    end: async (queue: string | null) => rows.delete(queue),
  };
  const tickets = new MemoryTicketStore();
  const replica = (): Pauses =>
    new Pauses(store, tickets, { all: [{ name: 'duel' }, { name: 'squad' }] }, clock);
  return { replica, clock, tickets };
}

describe('a pause', () => {
  it('refuses tickets of its queue with the message and when another try makes sense', async () => {
    const { replica, clock } = setUp();
    const [one, other] = [replica(), replica()];
    await one.put('duel', { message: 'Back at noon.', waiting: 'kept', until: start + 90_000 });
    await expect(one.check('squad')).resolves.toBeUndefined();
    await expect(one.check('duel')).rejects.toMatchObject({
      message: 'The queue "duel" is paused: Back at noon.',
      facts: { queue: 'duel', until: start + 90_000, retryAfterSeconds: 90 },
    });
    await other.refresh();
    await expect(other.check('duel')).rejects.toBeInstanceOf(QueuePaused);
    clock.at += 90_000;
    await expect(other.check('duel')).resolves.toBeUndefined();
  });

  it('that another replica ended refuses nobody', async () => {
    const { replica } = setUp();
    const [one, other] = [replica(), replica()];
    await one.put('duel', { message: 'Wait.', waiting: 'kept' });
    await other.refresh();
    expect(await one.end('duel')).toBe(true);
    expect(await one.end('duel')).toBe(false);
    await expect(other.check('duel')).resolves.toBeUndefined();
  });

  it('that is in force keeps its beginning when it is repeated or gets another message', async () => {
    const { replica, clock } = setUp();
    const [one, other] = [replica(), replica()];
    const first = await one.put('duel', { message: 'Wait.', waiting: 'kept' });
    clock.at += 1_000;
    expect(await other.put('duel', { message: 'Wait.', waiting: 'kept' })).toEqual(first);
    expect(await one.put('duel', { message: 'Longer.', waiting: 'kept' })).toMatchObject({ startsAt: start });
    await one.end('duel');
    expect(await other.put('duel', { message: 'Again.', waiting: 'kept' })).toMatchObject({
      startsAt: clock.at,
    });
  });

  it('of all queues is announced before it is in force', async () => {
    const { replica, clock } = setUp();
    const pauses = replica();
    const said = { message: 'New servers.', waiting: 'kept', startsAt: start + 5_000 } as const;
    await expect(pauses.put(null, { ...said, until: start + 4_000 })).rejects.toBeInstanceOf(TimePast);
    await pauses.put(null, { ...said, until: start + 10_000 });
    expect(pauses.maintenance).toMatchObject({ message: 'New servers.' });
    await expect(pauses.check('duel')).resolves.toBeUndefined();
    clock.at += 5_000;
    for (const queue of ['duel', 'squad'])
      await expect(pauses.check(queue)).rejects.toBeInstanceOf(InMaintenance);
    clock.at += 5_000;
    expect(pauses.maintenance).toBeNull();
    await expect(pauses.check('duel')).resolves.toBeUndefined();
  });

  it('returns the tickets that wait, and those that come late, if it says so', async () => {
    const { replica, tickets } = setUp();
    const pauses = replica();
    const enqueue = (ticketId: string, queue: string) =>
      tickets.enqueue(
        aTicket({ ticketId, queue, players: [{ playerId: `of-${ticketId}`, mu: 25, sigma: 8 }] }),
        start,
      );
    await enqueue('kept', 'squad');
    await enqueue('early', 'duel');
    await pauses.put('squad', { message: 'Kept.', waiting: 'kept' });
    await pauses.put('duel', { message: 'Back at noon.', waiting: 'returned' });
    await pauses.returnWaiting();
    await enqueue('late', 'duel');
    await pauses.returnWaiting();
    for (const id of ['early', 'late'])
      expect(await tickets.find(id)).toMatchObject({
        state: 'cancelled',
        reason: 'The queue is paused, so you are out of it: Back at noon.',
      });
    expect(await tickets.find('kept')).toMatchObject({ state: 'waiting' });
  });
});
