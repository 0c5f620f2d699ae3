import type { RankedStanding } from '@muster/domain';
import type { Identity } from '@muster/platform';
import { describe, expect, it } from 'vitest';
import { standingView } from './season.view.js';

const away: RankedStanding = {
  rank: null,
  playerId: 'old',
  mu: 30,
  sigma: 2,
  matches: 4,
  division: 'Gold',
  hidden: false,
};

const player = (playerId: string) => ({ kind: 'player', playerId }) as Identity;

describe('a final standing without a rank', () => {
  it('is shown to its player, not to others', () => {
    expect(standingView(away, player('old'), null)).toEqual({
      rank: null,
      playerId: 'old',
      name: null,
      division: 'Gold',
      matches: 4,
    });
    expect(standingView(away, player('ann'), null)).toBeNull();
    expect(standingView({ ...away, hidden: true }, player('old'), null)).toMatchObject({ division: null });
  });
});
