import { message } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { teams } from '../../test-support/rosters.js';
import { exemptionOf } from './exemptions.js';
import { sectorsEdge, synelo } from '../policies.js';

const { exempt } = sectorsEdge('1.2.1');

describe('exemptions (L7, L17)', () => {
  it.each([
    ['sandbox'],
    ['Trailer'],
    ['TOURNAMENT'],
    ['scrimmage'],
    ['ffa'],
    ['Free for all'],
    ['free-for-all'],
    ['FreeForAll'],
    ['GG'],
    ['HH'],
  ])('in the mode %s', (mode) => {
    expect(exemptionOf({ ...teams([], []), mode }, exempt, 'move')).toEqual(
      message('balance.exempt-mode', { mode }),
    );
  });

  it.each([
    [179.9, true],
    [0, true],
    [180, false],
    [900, false],
    [null, false],
    [undefined, false],
  ])('with %s seconds left: %s', (secondsLeft, isExempt) => {
    expect(exemptionOf({ ...teams([], []), mode: 'ctf', secondsLeft }, exempt, 'move') !== null).toBe(
      isExempt,
    );
  });

  it('explains the exemption at the end of a match', () => {
    expect(exemptionOf({ ...teams([], []), secondsLeft: 5 }, exempt, 'move')).toEqual(
      message('balance.exempt-end', { minutes: 3 }),
    );
  });

  it('leaves ranked matches alone unless their rules ask for moves', () => {
    const ranked = { ...teams([], []), ranked: true };

    expect(exemptionOf(ranked, exempt, 'leave-alone')).toEqual(message('balance.ranked'));
    expect(exemptionOf(ranked, exempt, 'move')).toBeNull();
    expect(exemptionOf({ ...ranked, ranked: false }, exempt, 'leave-alone')).toBeNull();
    expect(synelo.ranked).toBe('leave-alone');
  });

  it('exempts games without teams', () => {
    expect(exemptionOf(teams([1]), synelo.exempt, 'move')).toEqual(message('balance.no-teams'));
  });
});
