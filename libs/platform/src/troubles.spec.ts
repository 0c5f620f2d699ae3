import { describe, expect, it } from 'vitest';
import { Troubles } from './troubles.js';

describe('what goes wrong again and again', () => {
  it('is said at once, then every ten seconds with how often, and all is counted', () => {
    const said: { what: string; times: number; inAll: number }[] = [];
    let now = 0;
    const warn = (facts: { what: string; times: number; inAll: number }): void => void said.push(facts);
    const troubles = new Troubles({ warn } as never, () => now);
    const redis = troubles.of('Redis');
    for (now = 0; now < 25_000; now += 100) redis(new Error('refused'));
    troubles.tell('jobs', new Error('away'));

    expect(said.map(({ what, times, inAll }) => [what, times, inAll])).toEqual([
      ['Redis', 1, 1],
      ['Redis', 100, 101],
      ['Redis', 100, 201],
      ['jobs', 1, 1],
    ]);
    expect(troubles.counts()).toEqual(
      new Map([
        ['Redis', 250],
        ['jobs', 1],
      ]),
    );
  });
});
