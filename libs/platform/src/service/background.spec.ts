import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { describe, expect, it, vi } from 'vitest';
import { Background, Every } from './background.js';
import type { ServiceSettings } from '../core/config.js';
import { OutboxRelay } from '../jobs/outbox-relay.js';
import { createLog } from '../core/logging.js';
import { Metrics } from '../metrics/metrics.js';
import { SharedClock } from '../loops/shared-clock.js';

const log = createLog('test', 'silent');
const settings = { REDIS_URL: '', REALM: '' } as ServiceSettings;

/** A `Background` over these providers, with a clock that is ahead by `aheadMs`. */
async function backgroundOf(providers: readonly object[], aheadMs = 0): Promise<Background> {
  const clock = new SharedClock([{ name: 'a store', read: async () => Date.now() - aheadMs }], 10_000);
  await clock.measure();
  const discovery = { getProviders: () => providers.map((instance) => ({ instance })) };
  const outbox = new OutboxRelay(
    null,
    { relay: async () => 0, isEmpty: async () => true },
    undefined as never,
    log,
  );
  return new Background(
    discovery as unknown as DiscoveryService,
    new MetadataScanner(),
    settings,
    clock,
    log,
    outbox,
    { kind: 'single', address: { host: 'localhost', port: 6379 }, db: 0, family: 0 },
    new Metrics({ now: () => 0 }, () => undefined),
  );
}

class Sweeps {
  turns = 0;
  judged = 0;

  @Every('sweep', 3_600_000)
  async sweep(): Promise<void> {
    this.turns++;
  }

  @Every('judge', 3_600_000, { whileSound: true })
  async judge(): Promise<void> {
    this.judged++;
  }
}

describe('background work', () => {
  it('runs decorated methods, and runs one immediately on a kick', async () => {
    const sweeps = new Sweeps();
    const background = await backgroundOf([sweeps]);
    background.start();
    await vi.waitFor(() => expect([sweeps.turns, sweeps.judged]).toEqual([1, 1]));
    background.kick('sweep');
    await vi.waitFor(() => expect([sweeps.turns, sweeps.judged]).toEqual([2, 1]));
    await background.stop();
  });

  it('skips methods that need a sound clock while the clock is wrong', async () => {
    const sweeps = new Sweeps();
    const background = await backgroundOf([sweeps], 60_000);
    background.start();
    await vi.waitFor(() => expect(sweeps.turns).toBe(1));
    await background.stop();
    expect(sweeps.judged).toBe(0);
  });

  it('stops every loop, also those of one name, and aborts waiting turns', async () => {
    const background = await backgroundOf([]);
    let [first, second] = [0, 0];
    background.every('matcher', 1, async () => void first++);
    background.every('matcher', 1, async () => void second++);
    await vi.waitFor(() => expect(Math.min(first, second)).toBeGreaterThan(1));
    await background.stop();
    expect(background.signal.aborted).toBe(true);
    const before = [first, second];
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect([first, second]).toEqual(before);
  });
});
