import type { TicketPlayer } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { explainCalibration } from './explain.js';

const player = (playerId: string, match?: number): TicketPlayer => ({
  playerId,
  mu: 25,
  sigma: 8,
  ...(match === undefined ? {} : { calibration: { match, of: 10 } }),
});

describe('calibration in words', () => {
  it('names the match, and in a party the player', () => {
    expect(explainCalibration([player('ann', 3)])).toBe('calibration match 3 of 10');
    expect(explainCalibration([player('ann', 3), player('bob'), player('cid', 1)])).toBe(
      'calibration match 3 of 10 for ann, 1 of 10 for cid',
    );
    expect(explainCalibration([player('ann')])).toBeNull();
  });
});
