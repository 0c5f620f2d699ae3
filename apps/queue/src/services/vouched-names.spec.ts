import { describe, expect, it } from 'vitest';
import type { RatingClient } from './rating.client.js';
import { VouchedNames } from './vouched-names.js';

type Told = Parameters<RatingClient['noteNames']>[0];

function namesOf(failing: { value: boolean } = { value: false }) {
  const calls: Told[] = [];
  const failures: unknown[] = [];
  const time = { at: 0 };
  const teller: Pick<RatingClient, 'noteNames'> = {
    async noteNames(names) {
      calls.push([...names]);
      if (failing.value) throw new Error('the service is down');
    },
  };
  const names = new VouchedNames(teller, { now: () => time.at }, (error) => void failures.push(error));
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { names, calls, failures, time, settled };
}

describe('names of tokens', () => {
  it('are told together, once for a while, and at once when they change', async () => {
    const { names, calls, time, settled } = namesOf();
    names.note({ playerId: 'ann', name: 'Ann' });
    names.note({ playerId: 'ben', name: 'Ben' });
    names.note({ playerId: 'cid' });
    names.note({ playerId: 'ann', name: 'Ann' });
    await settled();
    expect(calls).toEqual([
      [
        { playerId: 'ann', name: 'Ann' },
        { playerId: 'ben', name: 'Ben' },
      ],
    ]);
    names.note({ playerId: 'ann', name: 'Anna' });
    await settled();
    time.at += 600_000;
    names.note({ playerId: 'ben', name: 'Ben' });
    await settled();
    expect(calls.slice(1)).toEqual([[{ playerId: 'ann', name: 'Anna' }], [{ playerId: 'ben', name: 'Ben' }]]);
  });

  it('are told with the next ticket when the service is down', async () => {
    const failing = { value: true };
    const { names, calls, failures, settled } = namesOf(failing);
    names.note({ playerId: 'ann', name: 'Ann' });
    await settled();
    expect(failures).toHaveLength(1);
    failing.value = false;
    names.note({ playerId: 'ann', name: 'Ann' });
    await settled();
    expect(calls).toHaveLength(2);
    expect(failures).toHaveLength(1);
  });
});
