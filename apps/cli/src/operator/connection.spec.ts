import { problem, type ProblemCode } from '@muster/contracts';
import { MusterProblem } from '@muster/sdk';
import { describe, expect, it } from 'vitest';
import { sentenceOf } from './connection.js';

const target = { url: 'http://127.0.0.1:8080', operatorKey: 'a-key' };
const said = (code: ProblemCode, facts: Record<string, unknown>): string =>
  sentenceOf(new MusterProblem(problem(code, 'GET /v1/pools lists `startsAt`.', facts)), target);

describe('a refusal', () => {
  it('about a season names commands and options, not paths and fields', () => {
    expect(said('season-not-found', { pool: 'mix', season: 7, wanted: 'ended' })).toBe(
      '"mix" has no season 7 that has ended; "muster season list mix" lists the seasons of the pool.',
    );
    expect(said('season-not-found', { pool: 'mix', season: 7, wanted: 'announced' })).toBe(
      '"mix" has no announced season 7; "muster season list mix" lists the seasons of the pool.',
    );
    expect(said('time-past', { pool: 'mix', startsAt: '1970-01-21T13:00:00.000Z' })).toContain(
      '--at is 1970-01-21T13:00:00.000Z',
    );
    expect(said('pool-invalid', { pool: 'mix', missing: 'season' })).toContain('give --rules');
  });

  it('about other rules of a pool is in the words of the API', () => {
    expect(said('pool-invalid', { pool: 'mix' })).toBe('GET /v1/pools lists `startsAt`.');
  });
});
