import { message, type TicketPlayer } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { calibrationMatches } from './explain.js';

const player = (playerId: string, match?: number): TicketPlayer => ({
  playerId,
  mu: 25,
  sigma: 8,
  ...(match === undefined ? {} : { calibration: { match, of: 10 } }),
});

describe('the calibration matches of a ticket', () => {
  it('are named, with the player in a party', () => {
    expect(calibrationMatches([player('ann', 3)])).toEqual([
      message('calibration.match', { match: 3, of: 10, party: false, playerId: 'ann' }),
    ]);
    expect(calibrationMatches([player('ann', 3), player('bob'), player('cid', 1)])).toEqual([
      message('calibration.match', { match: 3, of: 10, party: true, playerId: 'ann' }),
      message('calibration.match', { match: 1, of: 10, party: true, playerId: 'cid' }),
    ]);
    expect(calibrationMatches([player('ann')])).toEqual([]);
  });
});
