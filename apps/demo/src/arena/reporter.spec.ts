import { describe, expect, it } from 'vitest';
import type { ArenaStory } from './arena.js';
import type { ArenaReport } from './report.js';
import { ArenaReporter } from './reporter.js';

function listener() {
  const told: [event: string, text: string | null][] = [];
  const telling = new ArenaReporter({ event: (event, text) => void told.push([event, text]) });
  return { told, telling };
}

const moves: ArenaStory = {
  policy: 'synelo',
  what: 'moves',
  text: 'It is 8 against 6.',
  playerIds: ['arena-0007'],
  chance: [0.7, 0.45],
};

const report = (seconds: number): ArenaReport => ({
  demo: 'arena',
  plot: null,
  seconds,
  servers: [
    { policy: 'synelo', fairShare: 0.5, moves: 1, playersMoved: 1, scrambles: 0, roundsRated: 1 },
    { policy: 'none', fairShare: 0.25, moves: 0, playersMoved: 0, scrambles: 0, roundsRated: 1 },
  ],
});

describe('ArenaTelling', () => {
  it('limits the stories for people, with the number omitted; programs get all', () => {
    const { told, telling } = listener();
    for (const now of [10_000, 10_100, 10_200, 12_000]) telling.story(moves, now);
    const words = 'synelo  It is 8 against 6. 0007: Red 70 % → Blue 55 %';
    expect(told).toEqual([
      ['moves', words],
      ['moves', null],
      ['moves', null],
      ['moves', `${words} (and 2 more)`],
    ]);
  });

  it('reports the state every ten seconds', () => {
    const { told, telling } = listener();
    for (let seconds = 1; seconds <= 21; seconds++) telling.state(report(seconds));
    expect(told).toEqual([
      ['state', 'Fair time so far: 50.0 % with synelo, 25.0 % without.'],
      ['state', 'Fair time so far: 50.0 % with synelo, 25.0 % without.'],
    ]);
  });
});
