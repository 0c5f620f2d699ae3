import { describe, expect, it } from 'vitest';
import { Progress } from './progress.js';

function screen(isTTY: boolean) {
  const shown: string[] = [];
  const clock = { now: 0 };
  const progress = new Progress({ isTTY, write: (text) => shown.push(text) }, 1_000, () => clock.now);
  return { shown, clock, progress };
}

describe('Progress', () => {
  it('writes a line every few seconds without a terminal', () => {
    const { shown, clock, progress } = screen(false);
    for (let done = 1; done <= 1_000; done++) {
      clock.now += 12;
      progress.at(done);
    }
    progress.end();
    expect(shown).toEqual([
      '417 of 1000 matches, 83 a second, 7 s left\n',
      '834 of 1000 matches, 83 a second, 2 s left\n',
      '1000 matches in 12.0 s (83 a second).\n',
    ]);
  });

  it('redraws one line on a terminal, below other output', () => {
    const { shown, clock, progress } = screen(true);
    clock.now += 500;
    progress.at(500);
    progress.at(501);
    progress.say('line 7 refused');
    expect(shown).toEqual([
      '\r\u001B[2K[############------------] 500 of 1000 matches, 1000 a second, 1 s left',
      '\r\u001B[2Kline 7 refused\n',
    ]);
  });

  it('shows nothing without a total, and removes the bar at the end', () => {
    const shown: string[] = [];
    const clock = { now: 0 };
    const write = (text: string): number => shown.push(text);
    const progress = new Progress({ isTTY: true, write }, 0, () => clock.now, 'events');
    clock.now += 500;
    progress.at(0);
    clock.now += 500;
    progress.at(0, 10);
    clock.now += 1_000;
    progress.at(5, 20);
    progress.clear();
    expect(shown).toEqual([
      '\r\u001B[2K[------------------------] 0 of 10 events',
      '\r\u001B[2K[######------------------] 5 of 20 events, 3 a second, 6 s left',
      '\r\u001B[2K',
    ]);
  });
});
