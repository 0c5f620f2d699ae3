import type { RebuildView } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { doneText, watchRebuild, type Watching } from './rebuild.js';

const running: RebuildView = {
  rebuildId: 'rbd_12345678',
  pool: 'season',
  state: 'running',
  model: 'elo',
  reason: 'it predicts better',
  done: 0,
  total: 0,
  skipped: 0,
  generation: 2,
  startedAt: Date.UTC(2026, 0, 1),
  finishedAt: null,
  error: null,
};
const done: RebuildView = {
  ...running,
  state: 'done',
  done: 1_200,
  total: 1_200,
  finishedAt: running.startedAt + 2_500,
};

function watching(answers: readonly (RebuildView | Error)[]) {
  const stopping = new AbortController();
  const left = [...answers];
  const shown: number[] = [];
  const how: Watching = {
    read: () => {
      const answer = left.shift() ?? running;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    onProgress: (rebuild) => shown.push(rebuild.done),
    stop: stopping.signal,
    pause: () => Promise.resolve(),
  };
  return { how, shown, stopping };
}

describe('watchRebuild', () => {
  it('polls until it ends', async () => {
    const { how, shown } = watching([{ ...running, done: 500, total: 1_200 }, done]);
    expect(await watchRebuild(running, how)).toEqual(done);
    expect(shown).toEqual([500, 1_200]);
  });

  it('is stopped without an error, also while there is no answer', async () => {
    const { how, stopping } = watching([]);
    const read = (): Promise<RebuildView> => {
      stopping.abort();
      return Promise.reject(new Error('nobody'));
    };
    expect(await watchRebuild(running, { ...how, read })).toEqual(running);
  });

  it('fails if it cannot be read', async () => {
    await expect(watchRebuild(running, watching([new Error('no')]).how)).rejects.toThrow('no');
  });
});

describe('doneText', () => {
  const overall = (logLoss: number) => {
    const score = { matches: 900, decided: 900, accuracy: 0.6, logLoss, brier: 0.2 };
    return { raw: score, calibrated: score };
  };

  it('reports the outcome', () => {
    expect(doneText({ ...done, skipped: 3 }, overall(0.65), overall(0.62))).toEqual([
      'Rated 1,200 events of "season" under elo in 2.5 s; generation 2 is in force.',
      'elo could not rate 3 of them.',
      'Log-loss of the predictions, calibrated: 0.6500 before, 0.6200 now (lower is better; 0.6931 is a coin flip).',
    ]);
    expect(doneText(done, null, overall(0.62))).toHaveLength(1);
  });
});
