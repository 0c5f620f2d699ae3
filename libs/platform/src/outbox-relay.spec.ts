import type { Outbox, OutboxEntry } from '@muster/domain';
import { describe, expect, it, vi } from 'vitest';
import { createLog } from './logging.js';
import { countEntries, gatherMs, OutboxRelay, type EntryRate } from './outbox-relay.js';

const log = createLog('test', 'silent');
const entry = (id: number, queue: string): OutboxEntry => ({
  id: String(id),
  queue,
  jobId: `job-${id}`,
  payload: id,
});

/** An outbox whose turns relay these entries; `asked` lists the calls. */
function outboxOf(turns: OutboxEntry[][]): { readonly outbox: Outbox; readonly asked: string[] } {
  const asked: string[] = [];
  const outbox: Outbox = {
    async relay(_owner, _limit, send) {
      asked.push('relay');
      const entries = turns.shift() ?? [];
      if (entries.length > 0) await send(entries);
      return entries.length;
    },
    async isEmpty() {
      asked.push('isEmpty');
      return turns.length === 0;
    },
  };
  return { outbox, asked };
}

describe('a relay', () => {
  it('sends the entries of one queue together, in order, also those that another process left', async () => {
    const { outbox } = outboxOf([[entry(1, 'a'), entry(2, 'b'), entry(3, 'a')], [entry(4, 'a')]]);
    const sent: [string, readonly string[]][] = [];
    const sender = {
      send: async (queue: string, items: readonly { jobId: string }[]) =>
        void sent.push([queue, items.map(({ jobId }) => jobId)]),
    };
    const relay = new OutboxRelay('rating', outbox, sender, log);
    relay.start();
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    relay.kick();
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    await relay.stop();
    expect(sent).toEqual([
      ['a', ['job-1', 'job-3']],
      ['b', ['job-2']],
      ['a', ['job-4']],
    ]);
  });

  it('opens no transaction without a kick while nothing is left', async () => {
    const { outbox, asked } = outboxOf([]);
    const relay = new OutboxRelay('rating', outbox, { send: async () => undefined }, log);
    relay.start();
    await vi.waitFor(() => expect(asked).toEqual(['isEmpty']));
    relay.kick();
    await vi.waitFor(() => expect(asked).toEqual(['isEmpty', 'relay']));
    await relay.stop();
  });

  it('sends in one turn what is written while it gathers', async () => {
    const { outbox, asked } = outboxOf([]);
    const relay = new OutboxRelay('rating', outbox, { send: async () => undefined }, log);
    relay.start();
    await vi.waitFor(() => expect(asked).toEqual(['isEmpty']));
    relay.kick();
    // The turn begins in this turn of the event loop, and gathers beyond it.
    for (let i = 0; i < 50; i++) await Promise.resolve();
    relay.kick();
    await vi.waitFor(() => expect(asked).toContain('relay'));
    await relay.stop();
    expect(asked).toEqual(['isEmpty', 'relay']);
  });
});

describe('the wait of a turn', () => {
  it('is short while few entries come, and bounded', () => {
    expect([0, 50, 175, 300, 10_000].map(gatherMs)).toEqual([3, 3, 14, 25, 25]);
  });

  it('follows the entries of the last second', () => {
    let rate: EntryRate = { perSecond: 0, atMs: 0 };
    for (let at = 25; at <= 5_000; at += 25) rate = countEntries(rate, 10, at);
    expect(rate.perSecond).toBeGreaterThan(350);
    expect(rate.perSecond).toBeLessThan(450);
    expect(countEntries(rate, 0, 8_000).perSecond).toBeLessThan(50);
  });
});
