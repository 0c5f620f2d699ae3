import { eventTypes } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { concernedBy, followed, isConcerned } from './events.js';
import { isOfSame } from './same-subject.js';

describe('an event', () => {
  it('concerns lists of its kind, and the one thing that it names', () => {
    const concerned = concernedBy({ type: 'match.rated', data: { matchId: 'mat_1' } });
    const stale = (key: readonly unknown[]) => concerned.some((each) => isConcerned(key, each));
    expect(stale(['listMatches', { query: { limit: 5 } }])).toBe(true);
    expect(stale(['readMatch', { params: { matchId: 'mat_1' } }])).toBe(true);
    expect(stale(['readMatch', { params: { matchId: 'mat_2' } }])).toBe(false);
    expect(stale(['listServers', {}])).toBe(false);
  });

  it('of a match concerns what is read of its players', () => {
    const concerned = concernedBy({
      type: 'match.rated',
      data: { matchId: 'mat_1', teams: [['ann'], ['ben']] },
    });
    const stale = (key: readonly unknown[]) => concerned.some((each) => isConcerned(key, each));
    expect(stale(['readPlayer', { params: { playerId: 'ben' } }])).toBe(true);
    expect(stale(['historyOfPlayer', { params: { playerId: 'ann', pool: 'duel' } }])).toBe(true);
    expect(stale(['matchesOfPlayer', { params: { playerId: 'cat' } }])).toBe(false);
  });

  it('of each followed group concerns something', () => {
    const groups = followed.map((group) => group.split('.')[0]);
    const types = eventTypes.filter((type) => groups.includes(type.split('.')[0]));
    expect(types.length).toBeGreaterThan(15);
    expect(types.filter((type) => concernedBy({ type, data: {} }).length === 0)).toEqual([]);
  });
});

describe('the answer before', () => {
  it('stays while a page of a list changes, not when another thing is looked at', () => {
    const list = (cursor: string) => ['listMatches', { query: { cursor } }];
    expect(isOfSame(list('a'), list('b'))).toBe(true);
    const match = (matchId: string) => ['readMatch', { params: { matchId } }];
    expect(isOfSame(match('a'), match('b'))).toBe(false);
    expect(isOfSame(list('a'), match('a'))).toBe(false);
  });
});
