import { none, policies, type Policy } from '@muster/live-balance';
import { describe, expect, it } from 'vitest';
import { calmServer, communityServer, stillServer, type CommunityServer } from './community-server.js';
import { standardErrorOfDifference, meanOf } from './figures.js';
import { playMatch, type LiveContender } from './play-match.js';
import { playMatches, traceOf } from './play-matches.js';
import { scriptOf } from './script.js';

const nothing: LiveContender = { name: 'none', policy: none, arrivals: 'smaller-team' };
const by = (policy: Policy): LiveContender => ({ name: policy.name, policy, arrivals: 'policy' });
const every = [nothing, ...Object.values(policies).map(by)];
const simulation = { server: communityServer, start: 'as-they-came', matches: 40, seed: 11 } as const;

describe('a match on a community server', () => {
  it.each(every)('is the same to the bit with the same seed: $name', (contender) => {
    const once = playMatches({ ...simulation, matches: 8 }, contender);
    expect(playMatches({ ...simulation, matches: 8 }, contender)).toEqual(once);
    expect(playMatches({ ...simulation, matches: 8, seed: 12 }, contender)).not.toEqual(once);
  });

  it('moves nobody without a policy, and nobody twice by any built-in policy', () => {
    for (const contender of every)
      for (const match of playMatches({ ...simulation, matches: 12 }, contender)) {
        expect(match.playersMoved).toBe(match.moves);
        expect(match.alive).toBeLessThanOrEqual(match.moves);
        if (contender.policy.rules.length === 0) expect(match.moves).toBe(0);
      }
  });

  it.each(every.filter(({ policy }) => policy.rules.length > 0))(
    'is fairer than without a policy: $name',
    (contender) => {
      const base = playMatches({ ...simulation, matches: 80 }, nothing);
      const matches = playMatches({ ...simulation, matches: 80 }, contender);
      const lift = meanOf(matches).fairShare - meanOf(base).fairShare;
      expect(lift).toBeGreaterThan(2 * standardErrorOfDifference(matches, base));
    },
  );

  it('stays unchanged without arrivals, departures and moves', () => {
    const chances = traceOf({ server: stillServer, start: 'even', seed: 3 }, 2, nothing);
    expect(chances).toHaveLength(stillServer.matchSeconds);
    expect(new Set(chances).size).toBe(1);
    const { fairShare, stompShare, unfairness } = playMatch(
      stillServer,
      scriptOf(stillServer, 'even', 3, 2),
      nothing,
    );
    const away = Math.abs(chances[0]! - 0.5);
    expect(fairShare).toBe(away <= 0.1 ? 1 : 0);
    expect(stompShare).toBe(away > 0.3 ? 1 : 0);
    expect(unfairness).toBeCloseTo(away, 12);
  });

  it('loses more players to stomps the more they flee, and has fewer on a calm server', () => {
    const left = (server: CommunityServer): number =>
      meanOf(playMatches({ ...simulation, server }, nothing)).leftPerMatch;
    expect(left({ ...communityServer, fleeing: 0 })).toBeLessThan(left(communityServer));
    expect(left(calmServer)).toBeLessThan(left(communityServer));
  });

  it('moves living players only where the rule does not wait for a death', () => {
    const figures = (name: string) => meanOf(playMatches(simulation, by(policies[name]!)));
    const edge = figures('sectors-edge-1.2.1');
    expect(edge.movesPerMatch).toBeGreaterThan(0);
    expect(edge.movedAlivePerMatch).toBe(0);
    expect(figures('synelo').movedAlivePerMatch).toBeGreaterThan(0);
  });

  it('holds a vote only where the rule asks for one', () => {
    const voteless = { ...communityServer, votes: { below: 0.3, chance: 0 } };
    const moves = (server: CommunityServer, name: string): number =>
      meanOf(playMatches({ ...simulation, server }, by(policies[name]!))).movesPerMatch;
    expect(moves(voteless, 'hive')).toBe(0);
    expect(moves(communityServer, 'hive')).toBeGreaterThan(0);
    expect(moves(voteless, 'synelo')).toBe(moves(communityServer, 'synelo'));
  });

  it('loses players because of moves, and none where nobody minds', () => {
    const leftMoved = (quitsWhenMoved: number) =>
      meanOf(
        playMatches(
          { ...simulation, server: { ...communityServer, quitsWhenMoved } },
          by(policies['synelo']!),
        ),
      );
    expect(leftMoved(0).leftMovedPerMatch).toBe(0);
    const all = leftMoved(1);
    expect(all.leftMovedPerMatch).toBe(all.movesPerMatch);
  });
});

describe('figures', () => {
  const match = {
    fairShare: 0,
    stompShare: 0,
    unfairness: 0,
    moves: 0,
    playersMoved: 0,
    alive: 0,
    left: 0,
    leftMoved: 0,
    refused: 0,
  };
  const of = (shares: readonly number[]) => shares.map((fairShare) => ({ ...match, fairShare }));

  it('are means', () => {
    expect(meanOf(of([0.2, 0.4])).fairShare).toBeCloseTo(0.3, 12);
    expect(meanOf([{ ...match, moves: 3, playersMoved: 2 }, match])).toMatchObject({
      matches: 2,
      movesPerMatch: 1.5,
      playersMovedPerMatch: 1,
    });
  });

  it('have the standard error of the mean of the differences', () => {
    // Differences 0.1, 0.3, 0.5: deviation 0.2, over √3.
    expect(standardErrorOfDifference(of([0.2, 0.5, 0.8]), of([0.1, 0.2, 0.3]))).toBeCloseTo(
      0.2 / Math.sqrt(3),
      12,
    );
    expect(standardErrorOfDifference(of([0.2, 0.5]), of([0.2, 0.5]))).toBe(0);
  });
});
