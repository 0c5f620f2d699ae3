import { describe, expect, it } from 'vitest';
import { attemptWords, countedWords, pauseWords, testedWords, typesIn } from './webhook-words.js';

it('reads types with commas, spaces or lines between', () => {
  expect(typesIn('match.*, rating.changed\nserver.lost ')).toEqual([
    'match.*',
    'rating.changed',
    'server.lost',
  ]);
  expect(typesIn(' ')).toEqual([]);
});

it('says of a full count that there may be more', () => {
  expect(countedWords(12)).toBe('12');
  expect(countedWords(10_000)).toContain('or more');
});

it('says why a webhook is paused', () => {
  expect(pauseWords({ state: 'active', pausedReason: null })).toBeNull();
  expect(pauseWords({ state: 'paused', pausedReason: 'It answered 410.' })).toBe('It answered 410.');
  expect(pauseWords({ state: 'paused', pausedReason: null })).toContain('operator');
});

describe('an attempt', () => {
  it('has its status and its error', () => {
    expect(attemptWords({ attempts: 0, status: null, error: null })).toBe('no attempt yet');
    expect(attemptWords({ attempts: 1, status: 204, error: null })).toBe('status 204');
    expect(attemptWords({ attempts: 2, status: null, error: 'refused' })).toBe('no response: refused');
  });
});

describe('a test', () => {
  it('is over well', () => {
    expect(testedWords({ ok: true, status: 204, error: null, ms: 12 })).toBe(
      'The receiver answered 204 in 12 ms.',
    );
  });

  it('is an error where the receiver refuses', () => {
    expect(() => testedWords({ ok: false, status: 500, error: null, ms: 12 })).toThrow('answered 500');
    expect(() => testedWords({ ok: false, status: null, error: 'connection refused', ms: 1 })).toThrow(
      'No response. connection refused',
    );
  });
});
