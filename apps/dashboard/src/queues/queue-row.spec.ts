import type { AnswerOf } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { queueRows } from './queue-row.js';

type Statistics = AnswerOf<'readStatistics'>;
const queue = (name: string) => ({ name }) as AnswerOf<'listQueues'>['queues'][number];
const statistics = {
  queues: [
    {
      queue: 'duel',
      total: { matches: 4 },
      points: [{ waiting: 3 }, { waiting: 7 }, { waiting: null }],
    },
  ],
} as unknown as Statistics;

describe('rows of queues', () => {
  it('have the last look at those that wait, and what is known of the hour', () => {
    expect(queueRows([queue('duel'), queue('new')], statistics)).toMatchObject([
      { name: 'duel', waiting: 7, lately: { matches: 4 } },
      { name: 'new', waiting: null, lately: null },
    ]);
  });

  it('are there before the statistics', () => {
    expect(queueRows([queue('duel')], undefined)).toMatchObject([{ name: 'duel', waiting: null }]);
  });
});
