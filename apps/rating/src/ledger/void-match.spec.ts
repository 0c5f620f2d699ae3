import { message, type VoidResult } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import type { ModelledRebuild } from '../rebuilds/rebuilds.js';
import { VoidMatch } from './void-match.js';

const rebuild = (rebuildId: string, matchId: string): ModelledRebuild => ({
  rebuildId,
  pool: 'ladder',
  reason: 'r',
  messages: [message('rebuild.match-void', { matchId, detail: 'bots' })],
  model: 'elo',
  refit: false,
  rules: null,
  state: 'done',
  generation: 2,
  done: 0,
  total: 0,
  skipped: 0,
  error: null,
  startedAt: 0,
  finishedAt: 1,
});

/** Declares a match void; the ledger answers so. Of the pool's rebuilds the newest is of another match. */
const declare = (result: VoidResult) =>
  new VoidMatch(
    { void: async () => result },
    { list: async () => [rebuild('newest', 'm2'), rebuild('own', 'm1')] },
    { now: () => 5 },
    { make: (prefix) => prefix, derive: (prefix) => prefix, fingerprint: (value) => JSON.stringify(value) },
    () => undefined,
  )
    .run('m1', 'olga', 'bots', 'drop')
    .catch((error: unknown) => error);

describe('declaring a match void', () => {
  it('reports the rebuild of that match, and none for one that was never rated', async () => {
    expect(await declare({ outcome: 'void', pool: 'ladder' })).toMatchObject({
      voided: true,
      rebuild: { rebuildId: 'own' },
    });
    expect(await declare({ outcome: 'again', pool: 'ladder' })).toMatchObject({
      voided: false,
      rebuild: { rebuildId: 'own' },
    });
    expect(await declare({ outcome: 'again', pool: null })).toEqual({
      matchId: 'm1',
      voided: false,
      rebuild: null,
    });
  });

  it.each([
    [
      'placed',
      'The match is placed; only a match with a result is declared void. POST /v1/matches/m1/end ends it.',
    ],
    [
      'abandoned',
      'The match is abandoned: it has no result, and nobody was rated for it. POST /v1/matches/m1/end with "as": "void" refuses a late result.',
    ],
  ])('says what is right for one that is %s', async (state, words) => {
    expect(await declare({ outcome: 'not-over', state })).toMatchObject({
      code: 'match-not-over',
      message: words,
      facts: { matchId: 'm1', state },
    });
  });
});
