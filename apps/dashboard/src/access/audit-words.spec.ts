import { expect, it } from 'vitest';
import { auditedCalls, callWords, outcomeWords, targetOf } from './audit-words.js';

it('knows calls and commands by their names', () => {
  expect(auditedCalls).toContain('banPlayer');
  expect(auditedCalls).toContain('erasePlayer');
  expect(auditedCalls).not.toContain('listAudit');
  expect(callWords('banPlayer')).toContain('Keep a player from every queue');
  expect(callWords('bakeBread')).toBe('');
});

it('tells what a target is', () => {
  expect(targetOf('mat_1', null)).toBe('match');
  expect(targetOf('ann', { playerId: 'ann' })).toBe('player');
  expect(targetOf('ann', null)).toBeNull();
});

it('tells how a call ended', () => {
  expect(outcomeWords('done')).toBe('done');
  expect(outcomeWords('match-not-over')).toBe('refused: match not over');
});
