import type { ElapsedTime, OutboxEntry } from '@muster/domain';
import { describe, expect, it, vi } from 'vitest';
import { createLog } from '../core/logging.js';
import { OutboxRelay } from './outbox-relay.js';

const log = createLog('test', 'silent');
const entry = (id: number, queue: string): OutboxEntry => ({
  id: String(id),
  queue,
  jobId: `job-${id}`,
  payload: id,
});

/** An outbox whose turns relay these entries; `asked` lists the calls. */
function outboxOf(turns: OutboxEntry[][]) {
  const asked: string[] = [];
  const outbox = {
    async relay(_owner: string, _limit: number, send: (entries: OutboxEntry[]) => Promise<void>) {
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

  it('begins a turn at once in a quiet time, and the next an interval later', async () => {
    const { outbox, asked } = outboxOf([]);
    let nowMs = 0;
    const slept: number[] = [];
    const wakes: (() => void)[] = [];
    const time: ElapsedTime = {
      now: () => nowMs,
      sleep: (ms) => {
        slept.push(ms);
        return new Promise((resolve) => wakes.push(resolve));
      },
      arrived: () => Promise.resolve(),
    };
    const relay = new OutboxRelay('rating', outbox, { send: async () => undefined }, log, { time });
    const turns = (): number => asked.filter((call) => call === 'relay').length;
    relay.start();
    relay.kick();
    await vi.waitFor(() => expect(turns()).toBe(1));
    expect(slept).toEqual([]);
    nowMs = 20;
    relay.kick();
    await vi.waitFor(() => expect(slept).toEqual([30]));
    // It is sent by the turn that waits.
    relay.kick();
    expect(turns()).toBe(1);
    nowMs = 50;
    for (const wake of wakes.splice(0)) wake();
    await vi.waitFor(() => expect(turns()).toBe(2));
    await relay.stop();
    expect(slept).toEqual([30]);
  });
});
