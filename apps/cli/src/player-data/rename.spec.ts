import type { Json } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renamedEvent, renamedFacts, renamedIn, renamedText } from './rename.js';

const rename = { id: 'ann', alias: 'erased-1' };
const roster = new Set(['ann', 'bob', 'teams', 'kind']);
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,11}$/;
const ids = fc.stringMatching(idPattern);

describe('a text', () => {
  it.each([
    ['ann left.', 'erased-1 left.'],
    ['It was ann.', 'It was erased-1.'],
    ['ann: 12, bob: 3', 'erased-1: 12, bob: 3'],
    ['"ann"', '"erased-1"'],
    ['ann, ann and anna', 'erased-1, erased-1 and anna'],
    ['joann, ann-2, ann_x, ann@home, @ann', 'joann, ann-2, ann_x, ann@home, @ann'],
    ['ann.smith, bot:ann, ann:2', 'ann.smith, bot:ann, ann:2'],
    ['', ''],
  ])('%j becomes %j', (text, wanted) => {
    expect(renamedText(text, rename)).toBe(wanted);
  });

  it('keeps every other id, and loses the one', () => {
    fc.assert(
      fc.property(fc.uniqueArray(ids, { minLength: 1, maxLength: 8 }), (all) => {
        const [id = '', ...others] = all;
        const after = renamedText(all.join(', '), { id, alias: '#' });
        expect(after).toBe(['#', ...others].join(', '));
      }),
    );
  });
});

describe('a stored value', () => {
  it('is renamed in its texts and in the keys of players', () => {
    const given: Json = {
      code: 'ann',
      teams: [['ann', 'bob']],
      waits: { ann: 3, bob: 4 },
      shares: { ann: 1 },
      params: { playerId: 'ann', state: 'ann' },
      ann: 'a field of ours beside others',
    };
    expect(renamedIn(given, rename, roster)).toEqual({
      code: 'ann',
      teams: [['erased-1', 'bob']],
      waits: { 'erased-1': 3, bob: 4 },
      shares: { 'erased-1': 1 },
      params: { playerId: 'erased-1', state: 'ann' },
      ann: 'a field of ours beside others',
    });
  });

  it('keeps its structure, whatever a player is named', () => {
    const given = { kind: 'x', teams: [['teams', 'bob']], waits: { teams: 1, bob: 2 } };
    expect(renamedIn(given, { id: 'teams', alias: 'erased-2' }, roster)).toEqual({
      kind: 'x',
      teams: [['erased-2', 'bob']],
      waits: { 'erased-2': 1, bob: 2 },
    });
  });
});

describe('a ledger event', () => {
  it('keeps what others are rated by, although a player is named like a map', () => {
    const detail = {
      teams: [['dust'], ['bob']],
      ranks: [1, 2],
      played: {
        situation: { map: 'dust', sides: ['dust', 'home'], venue: 'dust' },
        shares: { dust: 0.5, bob: 1 },
        facts: { dust: { kills: 3 } },
        stats: { dust: { hero: 'dust', damage: 90 } },
        late: ['dust'],
        times: { lengthMs: 9, stretches: { dust: [{ fromMs: 1, toMs: 2 }] } },
      },
    };
    expect(renamedEvent('match', detail, { id: 'dust', alias: 'e' })).toEqual({
      teams: [['e'], ['bob']],
      ranks: [1, 2],
      played: {
        situation: { map: 'dust', sides: ['dust', 'home'], venue: 'dust' },
        shares: { e: 0.5, bob: 1 },
        facts: { e: { kills: 3 } },
        stats: { e: { hero: 'dust', damage: 90 } },
        late: ['e'],
        times: { lengthMs: 9, stretches: { e: [{ fromMs: 1, toMs: 2 }] } },
      },
    });
    expect(renamedFacts(null, rename)).toBeNull();
  });

  it('of a match names the pseudonym where a booster counted', () => {
    const boost = { boosterId: 'ann', kFactor: 2 };
    const detail = { teams: [['ann'], ['bob']], ranks: [1, 2], boosted: { ann: boost, bob: boost } };
    expect(renamedEvent('match', detail, rename)).toEqual({
      teams: [['erased-1'], ['bob']],
      ranks: [1, 2],
      boosted: { 'erased-1': boost, bob: boost },
    });
  });

  it('of one player names the pseudonym', () => {
    const detail = { playerId: 'ann', mu: 3, model: 'ann-model', reason: 'ann plays in the league' };
    expect(renamedEvent('set', detail, rename)).toEqual({
      playerId: 'erased-1',
      mu: 3,
      model: 'ann-model',
      reason: 'erased-1 plays in the league',
    });
  });
});
