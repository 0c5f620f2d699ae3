import type { Avoided, AvoidedByList } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { avoidedByTicket } from './avoid-lists.js';
import { Standing } from './standing.js';

const avoided = (playerId: string, scope: Avoided['scope'] = 'team'): Avoided => ({ playerId, scope });
const avoids = (playerId: string, scope: Avoided['scope'] = 'team', place = 0): AvoidedByList => ({
  playerId,
  scope,
  place,
});

describe('C8 the players kept away from a ticket', () => {
  it('are those its players avoid and those who avoid them, each once', () => {
    const around = new Map([
      ['ann', [avoids('x'), avoids('y', 'match')]],
      ['bob', [avoids('x'), avoids('z')]],
    ]);
    expect(avoidedByTicket(['ann', 'bob', 'cid'], around)).toEqual([
      avoided('x'),
      avoided('y', 'match'),
      avoided('z'),
    ]);
  });

  it('are kept off the match when one of the entries demands it', () => {
    for (const scopes of [['team', 'match'] as const, ['match', 'team'] as const]) {
      const around = new Map([
        ['ann', [avoids('x', scopes[0])]],
        ['bob', [avoids('x', scopes[1])]],
      ]);
      expect(avoidedByTicket(['ann', 'bob'], around)).toEqual([avoided('x', 'match')]);
    }
  });

  it('exclude the party: its members have agreed to queue together', () => {
    const around = new Map([['ann', [avoids('bob', 'match')]]]);
    expect(avoidedByTicket(['ann', 'bob'], around)).toEqual([]);
  });
});

describe('the standing in a ticket', () => {
  const standing = (around: ReadonlyMap<string, readonly AvoidedByList[]>, least: number | undefined) =>
    new Standing({ around: async () => around }, { leastOf: async () => least });
  const looking = { behaviour: { lowBelow: 0.3, apartSeconds: null } };

  it('is empty for most', async () => {
    expect(await standing(new Map(), undefined).ofTicket(looking, ['ann'])).toEqual({});
  });

  it('has the players to keep away, and the lowest score where the queue uses it', async () => {
    const some = standing(new Map([['ann', [avoids('x')]]]), 0.4);
    expect(await some.ofTicket(looking, ['ann'])).toEqual({ avoid: [avoided('x')], behaviour: 0.4 });
    expect(await some.ofTicket({}, ['ann'])).toEqual({ avoid: [avoided('x')] });
  });

  it('counts the newest entries of each list that the rules of the queue allow, or none', async () => {
    const lists = [avoids('x', 'team', 0), avoids('y', 'match', 1), avoids('z', 'team', 2)];
    const some = standing(new Map([['ann', lists]]), undefined);
    expect(await some.ofTicket({ avoidLists: { entries: 2 } }, ['ann'])).toEqual({
      avoid: [avoided('x'), avoided('y', 'match')],
    });
    const unread = new Standing(
      { around: () => Promise.reject(new Error('the lists are read')) },
      { leastOf: async () => undefined },
    );
    expect(await unread.ofTicket({ avoidLists: { entries: 0 } }, ['ann'])).toEqual({});
  });
});
