import { problem, type ProblemCode } from '@muster/contracts';
import { MusterProblem } from '@muster/sdk';
import { describe, expect, it } from 'vitest';
import { sentenceOf } from './connection.js';

const target = { url: 'http://127.0.0.1:8080', operatorKey: 'a-key' };
const said = (code: ProblemCode, detail: string, facts: Record<string, unknown>): string =>
  sentenceOf(new MusterProblem(problem(code, detail, facts)), target);

describe('a refusal', () => {
  it('names commands and options, not paths and fields', () => {
    const detail = 'Season 7 of "mix" does not exist; GET /v1/pools/mix/seasons lists its seasons.';
    expect(said('season-not-found', detail, { pool: 'mix', season: 7 })).toBe(
      'Season 7 of "mix" does not exist; "muster season list mix" lists its seasons.',
    );
    expect(said('time-past', '`startsAt` is past.', { startsAt: '1970-01-21T13:00:00.000Z' })).toContain(
      '--at is 1970-01-21T13:00:00.000Z',
    );
  });

  it('that names neither is in the words of the API', () => {
    expect(said('pool-invalid', 'Divisions must rise.', { pool: 'mix' })).toBe('Divisions must rise.');
  });
});
