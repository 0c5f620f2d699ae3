import { aTicket, MemoryTicketStore } from '@muster/testing';
import { TicketAlreadyMatched, TicketNotFound, TimePast, type Message } from '@muster/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { BanPlayer } from '../../apps/queue/src/desk/ban-player.js';
import { PostgresBans } from '../../apps/queue/src/standing/ban.store.js';
import { Bans } from '../../apps/queue/src/standing/bans.js';
import { as } from '../support/database.js';
import { databaseForEach, noon, range } from './fixtures.js';

const data = databaseForEach();
let store: PostgresBans;
let at: number;
beforeEach(() => {
  store = new PostgresBans(as('queue', data().db));
  at = noon;
});
const bans = (): Bans => new Bans(store, { now: () => at });
const said = { reason: 'Insults.', until: noon + 60_000, by: 'operator' };

describe('bans in Postgres', () => {
  it('refuse a player until they end, and tell the reason to that player alone', async () => {
    await bans().put('ann', said);
    await bans().check(['ben']);
    await expect(bans().check(['ann', 'ben'])).rejects.toMatchObject({
      code: 'banned',
      message: `You may not queue until ${new Date(said.until).toISOString()}: Insults.`,
      facts: { until: said.until, players: [{ playerId: 'ann', until: said.until }] },
    });
    const ofOther = await bans()
      .check(['ben', 'ann'])
      .catch((error: unknown) => String(error));
    expect(ofOther).toContain('ann may not queue');
    expect(ofOther).not.toContain('Insults');
    at = said.until;
    await bans().check(['ann']);
    expect(await bans().of('ann')).toBeNull();
    await expect(bans().put('ann', said)).rejects.toBeInstanceOf(TimePast);
  });

  it('are one for each player: operators at once replace one another, and a repeat keeps the begin', async () => {
    await bans().put('ann', said);
    at += 1_000;
    await Promise.all(range(10).map((i) => bans().put('ann', { ...said, reason: `Reason ${i}.` })));
    expect(await bans().of('ann')).toMatchObject({ since: noon, reason: expect.stringMatching(/^Reason/) });
    await bans().put('ben', said);
    expect(await bans().list('', 1)).toMatchObject({ bans: [{ playerId: 'ann' }], next: 'ann' });
    expect(await bans().list('ann', 5)).toMatchObject({ bans: [{ playerId: 'ben' }], next: null });
    expect(await bans().lift('ann')).toBe(true);
    expect(await bans().lift('ann')).toBe(false);
    expect(await store.deleteOver(said.until + 1, 10)).toBe(false);
    expect(await data().db.playerBan.count()).toBe(0);
  });

  it('end a ticket that waits, also one that was being created when the player was banned', async () => {
    const tickets = new MemoryTicketStore();
    const enqueue = (ticketId: string, playerId: string) =>
      tickets.enqueue(aTicket({ ticketId, players: [{ playerId, mu: 25, sigma: 8 }] }), noon);
    const read = {
      of: async (playerId: string) => {
        const record = await tickets.find((await tickets.ticketOf(playerId)) ?? '');
        if (!record) throw new TicketNotFound('none');
        return record;
      },
    };
    const cancel = {
      byOperator: async (ticketId: string, why: Message) => {
        await tickets.cancel(ticketId, [why], at);
        const record = await tickets.find(ticketId);
        if (record?.state !== 'cancelled') throw new TicketAlreadyMatched('matched');
        return record;
      },
    };
    const banPlayer = new BanPlayer(bans(), read, cancel);
    await enqueue('t1', 'ann');
    await banPlayer.run('ann', said);
    expect(await tickets.find('t1')).toMatchObject({
      state: 'cancelled',
      reason: 'An operator took you out of the queue: Insults.',
    });
    await enqueue('t2', 'ann');
    await banPlayer.sweep();
    expect(await tickets.find('t2')).toMatchObject({ state: 'cancelled' });
    await banPlayer.sweep();
  });
});
