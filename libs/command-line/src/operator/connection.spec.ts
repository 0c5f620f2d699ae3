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
      'Season 7 of "mix" does not exist; "muster seasons list mix" lists its seasons.',
    );
    expect(said('time-past', '`until` must be after `startsAt`.', {})).toBe('--until must be after --at.');
  });

  it('that names neither is in the words of the API', () => {
    expect(said('pool-invalid', 'Divisions must rise.', { pool: 'mix' })).toBe('Divisions must rise.');
  });
});
