import { describe, expect, it } from 'vitest';
import { ArenaTelling } from './arena-telling.js';

function listener() {
  const told: [event: string, text: string | null][] = [];
  const telling = new ArenaTelling({ happening: (event, text) => void told.push([event, text]) });
  return { told, telling };
}

const moves = JSON.stringify({
  event: 'story',
  policy: 'synelo',
  what: 'moves',
  text: 'It is 8 against 6.',
  playerIds: ['arena-0007'],
  chance: [0.7, 0.45],
});

const report = (seconds: number): string =>
  JSON.stringify({
    event: 'report',
    report: {
      demo: 'arena',
      seconds,
      plot: null,
      servers: [
        { policy: 'synelo', fairShare: 0.5, moves: 1, playersMoved: 1, scrambles: 0, roundsRated: 1 },
        { policy: 'none', fairShare: 0.25, moves: 0, playersMoved: 0, scrambles: 0, roundsRated: 1 },
      ],
    },
  });

describe('ArenaTelling', () => {
  it('tells people not every story, and how many it left out; programs hear of all', () => {
    const { told, telling } = listener();
    for (const now of [10_000, 10_100, 10_200, 12_000]) telling.hear(moves, now);
    const words = 'synelo  It is 8 against 6. 0007: Red 70 % → Blue 55 %';
    expect(told).toEqual([
      ['moves', words],
      ['moves', null],
      ['moves', null],
      ['moves', `${words} (and 2 more)`],
    ]);
  });

  it('tells how things stand every ten seconds, and keeps the last report', () => {
    const { told, telling } = listener();
    for (let seconds = 1; seconds <= 21; seconds++) telling.hear(report(seconds), 0);
    expect(told).toEqual([
      ['state', 'Fair time so far: 50.0 % with synelo, 25.0 % without.'],
      ['state', 'Fair time so far: 50.0 % with synelo, 25.0 % without.'],
    ]);
    expect(telling.report.seconds).toBe(21);
  });

  it('minds no line that is none of its own', () => {
    const { told, telling } = listener();
    for (const line of ['', 'Error: half a', '{"event":"rep', '7', 'null']) telling.hear(line, 0);
    expect(told).toEqual([]);
    expect(telling.report.servers).toEqual([]);
  });
});
