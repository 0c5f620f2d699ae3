import { describe, expect, it } from 'vitest';
import { type DueTimes, DueWork, isDue } from './due.js';

const nothing: DueTimes = {
  answerBy: null,
  heardAt: null,
  liveAt: null,
  giveUpAt: null,
  nextAttemptAt: null,
  seatsSentAt: null,
  backfillExpiresAt: null,
  backfillOrphaned: false,
};

function work() {
  const clock = { at: 0, now: () => clock.at };
  const reads: ((times: DueTimes) => void)[] = [];
  const due = new DueWork(() => new Promise((resolve) => reads.push(resolve)), clock);
  return { clock, due, reads };
}

describe('the times at which sweeps have work', () => {
  it('are read once a second, whatever the number of looks', async () => {
    const { clock, due, reads } = work();
    const looks = [due.look(), due.look()];
    reads[0]?.(nothing);
    expect(await Promise.all(looks)).toEqual([nothing, nothing]);
    clock.at = 999;
    await due.look();
    expect(reads).toHaveLength(1);
    clock.at = 1_000;
    void due.look();
    expect(reads).toHaveLength(2);
  });

  it('are read again after a change, also if a statement from before it is still running', async () => {
    const { due, reads } = work();
    const before = due.look();
    due.forget();
    const after = due.look();
    expect(reads).toHaveLength(2);
    reads[1]?.({ ...nothing, answerBy: 7 });
    expect(await after).toMatchObject({ answerBy: 7 });
    reads[0]?.(nothing);
    await before;
    expect(await due.look()).toMatchObject({ answerBy: 7 });
  });

  it('are read again after a clock was set back, and after a statement that failed', async () => {
    const clock = { at: 5_000, now: () => clock.at };
    let reads = 0;
    const readTimes = (): Promise<DueTimes> =>
      ++reads === 1 ? Promise.reject(new Error('down')) : Promise.resolve(nothing);
    const due = new DueWork(readTimes, clock);
    await expect(due.look()).rejects.toThrow('down');
    expect(await due.look()).toEqual(nothing);
    clock.at = 0;
    await due.look();
    expect(reads).toBe(3);
  });

  it('have come when they are not later than now', () => {
    expect([isDue(null, 5), isDue(6, 5), isDue(5, 5)]).toEqual([false, false, true]);
  });
});
