import { describe, expect, it } from 'vitest';
import { purposeOf, shownQueue } from './job-queues.js';

describe('the queue whose dead letters are shown', () => {
  const queues = [
    { jobQueue: 'form-teams', dead: 1 },
    { jobQueue: 'rate-match', dead: 3 },
  ];

  it('is the one of the address', () => {
    expect(shownQueue('form-teams', queues)).toBe('form-teams');
  });

  it('is the one with the most without an address, or with another one', () => {
    expect(shownQueue(undefined, queues)).toBe('rate-match');
    expect(shownQueue('bake-bread', queues)).toBe('rate-match');
  });

  it('is none where nothing is dead', () => {
    expect(shownQueue(undefined, [{ jobQueue: 'form-teams', dead: 0 }])).toBeNull();
  });
});

it('says nothing of a queue of a later release', () => {
  expect(purposeOf('bake-bread')).toBe('');
  expect(purposeOf('rate-match')).toBe('allocator → rating: rate an ended match');
});
