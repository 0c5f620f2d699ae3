import type { Avoided } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { avoidedByTicket } from './avoid-lists.js';
import { Standing } from './standing.js';

const avoids = (playerId: string, scope: Avoided['scope'] = 'team'): Avoided => ({ playerId, scope });

describe('C8 whom a ticket is kept away from', () => {
  it('is whom its players avoid and who avoids them, each once', () => {
    const around = new Map([
      ['ann', [avoids('x'), avoids('y', 'match')]],
      ['bob', [avoids('x'), avoids('z')]],
    ]);
    expect(avoidedByTicket(['ann', 'bob', 'cid'], around)).toEqual([
      avoids('x'),
      avoids('y', 'match'),
      avoids('z'),
    ]);
  });

  it('is kept off the match when one of them wants that', () => {
    for (const scopes of [['team', 'match'] as const, ['match', 'team'] as const]) {
      const around = new Map([
        ['ann', [avoids('x', scopes[0])]],
        ['bob', [avoids('x', scopes[1])]],
      ]);
      expect(avoidedByTicket(['ann', 'bob'], around)).toEqual([avoids('x', 'match')]);
    }
  });

  it('is nobody of the party: they have agreed to queue together', () => {
    const around = new Map([['ann', [avoids('bob', 'match')]]]);
    expect(avoidedByTicket(['ann', 'bob'], around)).toEqual([]);
  });
});

describe('what a ticket carries of its players’ standing', () => {
  const standing = (around: ReadonlyMap<string, readonly Avoided[]>, least: number | undefined) =>
    new Standing({ around: async () => around }, { leastOf: async () => least });
  const looking = { behaviour: { lowBelow: 0.3, apartSeconds: null } };

  it('is nothing for most', async () => {
    expect(await standing(new Map(), undefined).ofTicket(looking, ['ann'])).toEqual({});
  });

  it('is whom they are kept away from, and their least score where the queue looks at it', async () => {
    const some = standing(new Map([['ann', [avoids('x')]]]), 0.4);
    expect(await some.ofTicket(looking, ['ann'])).toEqual({ avoid: [avoids('x')], behaviour: 0.4 });
    expect(await some.ofTicket({}, ['ann'])).toEqual({ avoid: [avoids('x')] });
  });
});
