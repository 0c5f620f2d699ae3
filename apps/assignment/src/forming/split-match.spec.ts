import { FormTeamsJob } from '@muster/contracts';
import { Unsolvable } from '@muster/domain';
import type { SplitAnswer } from '@muster/solver';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitMatch } from './split-match.js';

interface Case {
  readonly teams: number;
  readonly teamSize: number;
  /** By ticket: the levels of its players. */
  readonly tickets: readonly (readonly number[])[];
  readonly skill: number;
}

const idOf = (ticket: number, player: number): string => `t${ticket}p${player}`;

function jobOf({ teams, teamSize, tickets, skill }: Case): FormTeamsJob {
  const humans = tickets.flat().length;
  return FormTeamsJob.parse({
    matchId: 'mat_00000001',
    queue: 'q',
    build: 'b',
    regions: [],
    tickets: tickets.map((levels, t) => ({
      ticketId: `tkt_${t}`,
      playerIds: levels.map((_, p) => idOf(t, p)),
      enqueuedAt: 0,
    })),
    bots: teams * teamSize - humans,
    map: null,
    rules: { mode: 'm', pool: 'p', teams, teamSize, placementTimeoutSeconds: 1, bots: { skill } },
    why: [],
    proposedAt: 0,
  });
}

const levelOf =
  ({ tickets }: Case) =>
  (playerId: string): number => {
    const [t = '', p = ''] = playerId.slice(1).split('p');
    return tickets[Number(t)]?.[Number(p)] ?? NaN;
  };

/** The least difference of sums, by trying every team for every ticket; Infinity when none is allowed. */
function leastDifference({ teams, teamSize, tickets, skill }: Case): number {
  let least = Infinity;
  const place = (next: number, sizes: readonly number[], sums: readonly number[]): void => {
    const levels = tickets[next];
    if (!levels) {
      if (sizes.some((size) => size === 0)) return;
      const full = sums.map((sum, t) => sum + skill * (teamSize - (sizes[t] ?? 0)));
      least = Math.min(least, Math.max(...full) - Math.min(...full));
      return;
    }
    const weight = levels.reduce((sum, level) => sum + level, 0);
    for (let t = 0; t < teams; t++)
      if ((sizes[t] ?? 0) + levels.length <= teamSize)
        place(
          next + 1,
          sizes.with(t, (sizes[t] ?? 0) + levels.length),
          sums.with(t, (sums[t] ?? 0) + weight),
        );
  };
  place(0, Array(teams).fill(0) as number[], Array(teams).fill(0) as number[]);
  return least;
}

const cases = fc
  .record({ teams: fc.integer({ min: 2, max: 4 }), teamSize: fc.integer({ min: 2, max: 4 }) })
  .chain(({ teams, teamSize }) =>
    fc.record({
      teams: fc.constant(teams),
      teamSize: fc.constant(teamSize),
      skill: fc.integer({ min: -5, max: 40 }),
      tickets: fc.array(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: teamSize }), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
  )
  .filter(({ teams, teamSize, tickets }) => tickets.flat().length < teams * teamSize);

function solve(each: Case): SplitAnswer | null {
  try {
    return splitMatch(jobOf(each), levelOf(each), { best: 2 });
  } catch (error) {
    if (error instanceof Unsolvable) return null;
    throw error;
  }
}

describe('teams with bots', () => {
  it('are the most even: full teams, parties whole, a human in each; and refused only when there are none', () => {
    fc.assert(
      fc.property(cases, (each) => {
        const answer = solve(each);
        const least = leastDifference(each);
        if (!answer) return void expect(least).toBe(Infinity);
        const { teams, bots, sums, difference } = answer.solutions[0]!;
        expect(difference).toBeCloseTo(least, 9);
        expect(teams.flat().toSorted()).toEqual(
          each.tickets.flatMap((levels, t) => levels.map((_, p) => idOf(t, p))).toSorted(),
        );
        const level = levelOf(each);
        teams.forEach((team, t) => {
          expect(team.length).toBeGreaterThan(0);
          expect(team.length + bots[t]!).toBe(each.teamSize);
          const sum = team.reduce((all, id) => all + level(id), 0) + bots[t]! * each.skill;
          expect(sums[t]).toBeCloseTo(sum, 9);
        });
        each.tickets.forEach((levels, t) => {
          const homes = levels.map((_, p) => teams.findIndex((team) => team.includes(idOf(t, p))));
          expect(new Set(homes).size).toBe(1);
        });
        const { certificate } = answer;
        expect(certificate.value).toBe(difference);
        expect(certificate.lowerBound).toBeLessThanOrEqual(difference + 1e-9);
        if (certificate.status === 'proven') expect(certificate.gap).toBeCloseTo(0, 9);
      }),
      { numRuns: 60 },
    );
  });

  it('may be a full party and a single player with bots, of three teams, too', () => {
    const answer = splitMatch(
      jobOf({ teams: 3, teamSize: 5, skill: 20, tickets: [[25, 25, 25, 25, 25], [25], [25]] }),
      () => 25,
      {},
    );
    expect(answer.solutions[0]?.bots.toSorted()).toEqual([0, 4, 4]);
  });

  it('cannot be formed when the rules give no rating for bots', () => {
    const job = jobOf({ teams: 2, teamSize: 2, skill: 20, tickets: [[25], [25]] });
    expect(() => splitMatch({ ...job, rules: { ...job.rules, bots: undefined } }, () => 25, {})).toThrow(
      /do not say what a bot counts/,
    );
  });
});
