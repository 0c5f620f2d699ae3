import { describe, expect, it } from 'vitest';
import { SolveTeams } from './solve-teams.js';
import { warmUp } from './warm-up.js';

/** Records requests and replies. */
class Recorded extends SolveTeams {
  readonly sizes: string[] = [];

  override splits(...asked: Parameters<SolveTeams['splits']>): ReturnType<SolveTeams['splits']> {
    this.sizes.push(`pool of ${asked[0].players.length}`);
    return super.splits(...asked);
  }

  override split(...asked: Parameters<SolveTeams['split']>): ReturnType<SolveTeams['split']> {
    this.sizes.push(`teams of ${asked[0].teamSizes.join(' and ')}`);
    return super.split(...asked);
  }

  override rebalance(...asked: Parameters<SolveTeams['rebalance']>): ReturnType<SolveTeams['rebalance']> {
    this.sizes.push(`swaps of ${asked[0].players.length}`);
    return super.rebalance(...asked);
  }
}

describe('a thread that solves team problems', () => {
  it('has solved problems of each kind, up to pools of 24 doubles, before the first call', () => {
    const teams = new Recorded({ now: () => performance.now() });

    warmUp(teams);

    expect(teams.sizes).toEqual(
      expect.arrayContaining([
        'pool of 24',
        'teams of 12 and 12',
        'swaps of 24',
        'teams of 5 and 5 and 5 and 5 and 5 and 5 and 5 and 5',
      ]),
    );
  });
});
