import { message, type Penalty } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { liftedOf, penaltiesOf } from './penalty-decisions.js';

const now = 1_700_000_000_000;
const penalty = (penaltyId: string, over: Partial<Penalty> = {}): Penalty => ({
  penaltyId,
  playerId: 'ann',
  kind: 'left',
  matchId: 'm',
  queue: 'duel',
  at: now,
  ...over,
});

describe('penaltiesOf', () => {
  it('penalises a player once for a match and kind, and the first time stays', () => {
    const first = penalty('p1');
    const others = [
      penalty('p2', { playerId: 'bob' }),
      penalty('p3', { kind: 'no-show' }),
      penalty('p4', { matchId: 'n' }),
    ];
    expect(penaltiesOf([], [first, penalty('again', { at: now + 1 }), ...others])).toEqual([
      first,
      ...others,
    ]);
    expect(
      penaltiesOf([{ ...first, forgivenAt: null }], [penalty('again'), penalty('p1', { kind: 'declined' })]),
    ).toEqual([]);
  });
});

describe('liftedOf', () => {
  const lift = { at: now + 5, why: [message('penalty.match-void')] };
  const lifted = { ...penalty('p1'), forgivenAt: null, lifted: lift };

  it('lifts a penalty, or writes it as lifted when it comes later', () => {
    const known = { ...penalty('p1'), forgivenAt: null };
    for (const before of [[known], []]) expect(liftedOf(before, [penalty('p1')], lift)).toEqual([lifted]);
  });

  it('leaves what is forgiven, lifted, or newer than it', () => {
    const newer = { ...penalty('p1', { at: now + 6 }), forgivenAt: null };
    for (const before of [lifted, newer, { ...penalty('p1'), forgivenAt: now }])
      expect(liftedOf([before], [penalty('p1')], lift)).toEqual([]);
  });

  it('does not hold for a later offence of the same match', () => {
    expect(penaltiesOf([lifted], [penalty('p2', { at: now + 5 })])).toEqual([]);
    const later = penalty('p2', { at: now + 6 });
    expect(penaltiesOf([lifted], [later])).toEqual([{ ...later, penaltyId: 'p1' }]);
  });
});
