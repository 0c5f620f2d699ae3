import { noMeter, type Meter } from '@muster/contracts';
import { DelayedError, UnrecoverableError } from 'bullmq';
import { describe, expect, it } from 'vitest';
import { measuredWork } from './measured-work.js';

describe('measured work', () => {
  it('counts what became of jobs, and items that became jobs of their own', async () => {
    const counted: string[] = [];
    const meter: Meter = {
      ...noMeter,
      count: (_figure, labels, by = 1) => void counted.push(`${Object.values(labels).join(' ')} ${by}`),
    };
    const run = (work: () => Promise<number>) => measuredWork('rate-match', meter, work);
    await run(async () => 0);
    await run(async () => 3);
    for (const error of [new DelayedError(), new UnrecoverableError('dead'), new Error('again')])
      await expect(run(() => Promise.reject(error))).rejects.toBe(error);
    expect(counted).toEqual([
      'rate-match done 1',
      'rate-match retried 3',
      'rate-match done 1',
      'rate-match delayed 1',
      'rate-match dead 1',
      'rate-match retried 1',
    ]);
  });
});
