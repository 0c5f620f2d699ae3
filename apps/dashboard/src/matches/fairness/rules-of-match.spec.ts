import { describe, expect, it } from 'vitest';
import { versionOfMatch } from './rules-of-match.js';
import { matchOf, playerOf } from '../match.fixture.js';

const match = matchOf({
  proposedAt: 100_000,
  players: [playerOf('ann', 0, { waitedMs: 30_000 }), playerOf('bob', 1, { waitedMs: 10_000 })],
});
const version = (number: number, createdAt: number, appliesTo: 'new' | 'all' = 'new') => ({
  version: number,
  createdAt,
  appliesTo,
});

describe('the rules of a match', () => {
  it('are the newest that one of its tickets followed', () => {
    const versions = [version(3, 95_000), version(2, 80_000), version(1, 0)];
    expect(versionOfMatch(match, versions)?.version).toBe(2);
  });

  it('are those that apply to all, also to tickets that waited', () => {
    const versions = [version(3, 95_000, 'all'), version(2, 80_000), version(1, 0)];
    expect(versionOfMatch(match, versions)?.version).toBe(3);
  });

  it('are the first ones, whenever these were stored', () => {
    expect(versionOfMatch(match, [version(2, 200_000), version(1, 150_000)])?.version).toBe(1);
  });

  it('are unknown without the versions of that time', () => {
    expect(versionOfMatch(match, [version(9, 200_000), version(8, 150_000)])).toBeUndefined();
  });

  it('are unknown of a match that was not proposed', () => {
    expect(versionOfMatch(matchOf({ proposedAt: null }), [version(1, 0)])).toBeUndefined();
  });
});
