import { MusterProblem } from '@muster/sdk';
import { describe, expect, it } from 'vitest';
import type { RefusedRow } from '../match-file/broken-row.js';
import { readMatches } from '../match-file/match-file.js';
import { reportAll, ReportingFailed, type Reporting } from './report.js';

const rows = ['m1', 'm2', 'm3', 'm4'].map((id, i) => `${id},2024-01-0${i + 1},a;b,1;2,`);
const { matches } = readMatches(['match_id,time,teams,ranks,context', ...rows].join('\n'), 'halo');
const says = (status: number, detail: string): MusterProblem =>
  new MusterProblem({ type: 'about:blank', title: detail, status, detail });

/** A coordinator with the given answers, by match. */
function rating(answers: Readonly<Record<string, Error | 'known'>>, known = new Set<string>()) {
  const asked: string[] = [];
  const refused: RefusedRow[] = [];
  const stopping = new AbortController();
  const reporting: Reporting = {
    operator: {
      reportMatch({ eventId }) {
        asked.push(eventId);
        const answer = answers[eventId];
        if (answer instanceof Error) return Promise.reject(answer);
        const counted = answer !== 'known' && !known.has(eventId);
        known.add(eventId);
        return Promise.resolve({ matchId: `mat_${eventId}`, counted, prediction: [0.5, 0.5] });
      },
    },
    stop: stopping.signal,
    onProgress: () => undefined,
    onRefused: (row) => refused.push(row),
    onRetry: () => undefined,
  };
  return { reporting, asked, refused, stopping };
}

describe('reportAll', () => {
  it('reports in order, and distinguishes new matches from known ones', async () => {
    const { reporting, asked } = rating({ m2: 'known' });
    expect(await reportAll(matches, reporting)).toMatchObject({ new: 3, known: 1, refused: 0 });
    expect(asked).toEqual(['m1', 'm2', 'm3', 'm4']);
  });

  it('scores a duplicate match once', async () => {
    const { reporting } = rating({});
    const { new: added, known, judged } = await reportAll([...matches, ...matches.slice(0, 1)], reporting);
    expect([added, known, judged.length]).toEqual([4, 1, 4]);
  });

  it.each([400, 409, 413, 422])('reports the row on a %i and continues', async (status) => {
    const { reporting, refused } = rating({ m2: says(status, 'Another result is known.') });
    const { refused: count, judged } = await reportAll(matches, reporting);
    expect([count, judged.length]).toEqual([1, 3]);
    expect(refused).toEqual([{ line: 3, reason: 'Another result is known.' }]);
  });

  it.each([says(401, 'Who are you?'), says(403, 'no'), says(500, 'broken')])(
    'stops at an error that would affect every row (%s), and reports its progress',
    async (error) => {
      const { reporting, asked } = rating({ m3: error });
      const failure = await reportAll(matches, reporting).catch((caught: unknown) => caught);
      expect(failure).toBeInstanceOf(ReportingFailed);
      expect(failure).toMatchObject({ done: 2, cause: error });
      expect(asked).toEqual(['m1', 'm2', 'm3']);
    },
  );

  it('stops without an error on an abort during an outage', async () => {
    const { reporting, stopping } = rating({ m3: says(502, 'nobody') });
    const onRetry = (): void => stopping.abort();
    expect(await reportAll(matches, { ...reporting, onRetry })).toMatchObject({
      new: 2,
      known: 0,
      refused: 0,
    });
  });

  it('stops before the next match on an abort', async () => {
    const { reporting, stopping } = rating({});
    const onProgress = (done: number): void => {
      if (done === 2) stopping.abort();
    };
    expect(await reportAll(matches, { ...reporting, onProgress })).toMatchObject({ new: 2, known: 0 });
  });
});
