import { Unsolvable } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rosters, teams } from '../../test-support/rosters.js';
import { muster, none, twentyPercent } from '../policies.js';
import type { Policy } from '../policy.js';
import { isPlaying, type Roster } from '../roster/roster.js';
import { planned, started, type PlannedStart } from './starting.js';

const withBots = (minPlayers: number): Policy => ({
  ...none,
  placement: { bots: { minPlayers }, maxSizeDifference: 1 },
});
/** Null where the roster has no teams by the policy. */
const startOf = (roster: Roster, policy: Policy): PlannedStart | null => {
  try {
    return started(roster, policy, 1);
  } catch (error) {
    if (!(error instanceof Unsolvable)) throw error;
    return null;
  }
};
const unassigned = (roster: Roster): Roster => ({
  ...roster,
  players: roster.players.map((player) => ({ ...player, team: null })),
});

describe('a start by a policy (L1, L2)', () => {
  it('counts players on no team once', () => {
    const answer = started(unassigned(teams([10, 9, 8], [7, 6])), withBots(8), 1);

    expect(answer.plan).toMatchObject({ players: 8, bots: 3 });
    expect(answer.start.bots).toEqual(answer.plan.byTeam);
    // A player on no team who does not start stays on none.
    expect(planned(unassigned(teams([10, 9, 8], [7, 6])), withBots(8))).toMatchObject({ bots: 8 });
  });

  it('has the same bots in its plan and on its teams, whatever the present teams', () => {
    const policy = fc.oneof(fc.constantFrom(none, muster), fc.nat({ max: 12 }).map(withBots));
    fc.assert(
      fc.property(rosters({ minPlayers: 2, mostTeams: 3 }), policy, (roster, by) => {
        const answer = startOf(roster, by);
        fc.pre(answer !== null);
        const humans = roster.players.filter(({ bot, spectator }) => !bot && !spectator).length;

        expect(answer.start.bots).toEqual(answer.plan.byTeam);
        expect(answer.plan.players).toBe(humans + answer.plan.bots);
        expect(answer.plan.byTeam!.map((bots, team) => bots + answer.start.teams[team]!.length)).toEqual(
          answer.plan.byTeam!.map(() => answer.plan.players / roster.teams),
        );
      }),
    );
  });

  it('counts parties as the policy’s check does', () => {
    const roster = teams([10, 10, 5], [10, 10, 5]);
    const party = {
      ...roster,
      players: roster.players.map((player, i) => (i < 2 ? { ...player, partyId: 'x' } : player)),
    };
    const answer = started(party, { ...twentyPercent, start: { best: 1 } }, 1);

    expect(answer.start.sums.toSorted()).toEqual([25, 28]);
    expect(roster.players.filter(isPlaying)).toHaveLength(6);
  });

  it('explains in words why there are no teams', () => {
    expect(() => started(teams([1]), none, 1)).toThrow('A game without teams has none to choose.');
  });
});
