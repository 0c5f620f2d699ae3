import { UnknownPool } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { poolFor } from './pool-choice.js';

const pool = (name: string, gameMode: string | null, ...modifiers: string[]) => ({
  name,
  gameMode,
  modifiers,
});

const pools = [
  pool('default', null),
  pool('ctf', 'CTFGame'),
  pool('ctf-insta', 'CTFGame', 'InstaGib'),
  pool('ctf-low-insta', 'CTFGame', 'InstaGib', 'LowGrav'),
  pool('dm', 'DeathMatch'),
];

describe('the pool for a game', () => {
  it.each([
    ['CTFGame', [], 'ctf'],
    ['ctfgame', [], 'ctf'],
    ['CTFGame', ['instagib'], 'ctf-insta'],
    ['CTFGame', ['LOWGRAV', 'InstaGib'], 'ctf-low-insta'],
    ['CTFGame', ['AntiTCC', 'InstaGib', 'ClanHud'], 'ctf-insta'],
    ['DeathMatch', ['AntiTCC'], 'dm'],
  ])('%s with %j is %s', (game, mutators, name) => {
    expect(poolFor(pools, game, mutators).name).toBe(name);
  });

  it.each([
    ['Domination', [], 'no rating pool is for the game type Domination; there is CTFGame, DeathMatch'],
    [
      'CTFGame',
      ['LowGrav', 'Hud'],
      'no rating pool is for CTFGame with LowGrav; there is CTFGame without mutators, CTFGame with InstaGib, CTFGame with InstaGib and LowGrav',
    ],
    // It affects play in another game mode, so it does not count as cosmetic here.
    [
      'DeathMatch',
      ['InstaGib'],
      'no rating pool is for DeathMatch with InstaGib; there is DeathMatch without mutators',
    ],
  ])('%s with %j is refused: %s', (game, mutators, says) => {
    expect(() => poolFor(pools, game, mutators)).toThrow(UnknownPool);
    expect(() => poolFor(pools, game, mutators)).toThrow(says);
  });

  it('is ambiguous if two pools match', () => {
    expect(() => poolFor([...pools, pool('ctf-2', 'ctfgame')], 'CTFGame', [])).toThrow(
      /the rating pools ctf, ctf-2 are all for CTFGame without mutators/,
    );
  });

  it('fails if no pool has a game mode', () => {
    expect(() => poolFor([pool('default', null)], 'ctf', [])).toThrow(/muster pools create NAME --mode ctf/);
  });

  it('lists only some of many pools', () => {
    const many = Array.from({ length: 30 }, (_, i) => pool(`p${i}`, `mode${i}`));
    expect(() => poolFor(many, 'x', [])).toThrow(/mode7 and 22 more$/);
  });

  it('has exactly the relevant mutators as modifiers, in any order', () => {
    const names = ['a', 'b', 'c', 'x', 'y'];
    const all = fc
      .uniqueArray(fc.subarray(['a', 'b', 'c']), { selector: (set) => set.join() })
      .map((sets) => sets.map((set, i) => pool(`p${i}`, 'g', ...set)));
    fc.assert(
      fc.property(all, fc.shuffledSubarray(names), (some, mutators) => {
        const affecting = new Set(some.flatMap(({ modifiers }) => modifiers));
        const counted = mutators.filter((name) => affecting.has(name)).toSorted();
        const fitting = some.find(({ modifiers }) => modifiers.toSorted().join() === counted.join());
        if (fitting) expect(poolFor(some, 'G', mutators)).toBe(fitting);
        else expect(() => poolFor(some, 'G', mutators)).toThrow(UnknownPool);
      }),
    );
  });
});
