import type { QueueRules, Ticket, TicketPlayer } from '@muster/domain';
import { aTicket } from '@muster/testing';
import { describe, expect, it } from 'vitest';
import { defaultQueues } from './default-rules.js';
import { explainCalibration, explainWaiting } from './explain.js';

const [rules] = defaultQueues as [QueueRules, ...QueueRules[]];
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

  it('stands beside why a ticket waits', () => {
    const ticket = (who: TicketPlayer): Ticket => aTicket({ players: [who] });
    const now = ticket(player('ann')).enqueuedAt;
    const why = explainWaiting(ticket(player('ann')), [], rules, now);
    expect(why).toContain('1 of 10 players are here');
    expect(explainWaiting(ticket(player('ann', 3)), [], rules, now)).toBe(
      `${why} This is calibration match 3 of 10.`,
    );
  });
});
