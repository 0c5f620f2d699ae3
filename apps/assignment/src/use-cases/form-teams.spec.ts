import type { FormTeamsJob } from '@muster/contracts';
import type { FormedMatch, MatchStore } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { FormTeams, type TeamAsked } from './form-teams.js';

const noon = 1_768_478_400_000;

function jobOf(parties: readonly (readonly string[])[], teamSize: number): FormTeamsJob {
  return {
    matchId: 'mat_00000001',
    queue: 'arena',
    build: 'b',
    regions: [],
    rules: { mode: 'arena', pool: 'ladder', teams: 2, teamSize, placementTimeoutSeconds: 60 },
    tickets: parties.map((playerIds, t) => ({
      ticketId: `tkt_${t}`,
      playerIds: [...playerIds],
      enqueuedAt: noon - 1_000,
    })),
    why: ['They waited.'],
    proposedAt: noon,
  };
}

/** Everyone's mu is the number in their name. */
function setUp() {
  const formed: FormedMatch[] = [];
  const refused: { matchId: string; reason: string; failed: readonly string[] }[] = [];
  const store: Pick<MatchStore, 'form' | 'refuse'> = {
    async form(match) {
      formed.push(match);
      return { outcome: 'formed' };
    },
    async refuse(matchId, reason, failed) {
      refused.push({ matchId, reason, failed });
      return { verdict: 'refused', reason, failedTicketIds: failed };
    },
  };
  const asked: (readonly TeamAsked[])[] = [];
  const forms = new FormTeams(
    {
      async read(pool, playerIds) {
        return playerIds.map((playerId) => ({
          pool,
          playerId,
          mu: Number(playerId.slice(1)),
          sigma: 8,
          matches: 0,
        }));
      },
      async predict(_pool, teams) {
        asked.push(teams);
        return [0.5, 0.5];
      },
    },
    store as MatchStore,
    { now: () => noon },
  );
  return { forms, formed, refused, asked };
}

describe('FormTeams', () => {
  it('stores how the teams were found, what is proven, and the best of the others', async () => {
    const { forms, formed } = setUp();
    expect(await forms.run(jobOf([['p30', 'p20'], ['p26'], ['p21']], 2))).toBe('formed');

    const [match] = formed;
    expect(match?.split).toMatchObject({
      certificate: { status: 'proven', value: 3, lowerBound: 3, gap: 0 },
      difference: 3,
      ways: 1,
      ranked: true,
      rejected: null,
    });
    expect(match?.split.sums.toSorted()).toEqual([47, 50]);
    expect(match?.split.method).not.toBe('');
    expect(match?.split.because).not.toBe('');
    expect(match?.why[0]).toBe('They waited.');
    expect(match?.why.join(' ')).toMatch(/There was one way.*proven to be the most even/);
  });

  it('keeps the best split that was rejected', async () => {
    const { forms, formed } = setUp();
    await forms.run(jobOf([['p30'], ['p20'], ['p26'], ['p21']], 2));

    expect(formed[0]?.split).toMatchObject({ difference: 3, ways: 3, rejected: { difference: 5 } });
    const { teams = [], sums } = formed[0]?.split.rejected ?? {};
    expect(teams.map((team) => team.reduce((sum, id) => sum + Number(id.slice(1)), 0))).toEqual(sums);
  });

  it('asks the pool for the chances of these teams, with their parties', async () => {
    const { forms, formed, asked } = setUp();
    await forms.run(jobOf([['p30', 'p20'], ['p26'], ['p21']], 2));
    expect(formed[0]?.prediction).toEqual([0.5, 0.5]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.toSorted((a, b) => b.parties.length - a.parties.length)).toEqual([
      { playerIds: expect.arrayContaining(['p30', 'p20']), parties: [2] },
      { playerIds: expect.arrayContaining(['p26', 'p21']), parties: [] },
    ]);
  });

  it('counts a newcomer at the level they are tried out at', async () => {
    const { forms, formed } = setUp();
    const job = jobOf([['p30'], ['p20'], ['p26'], ['p21']], 2);
    const [first, ...others] = job.tickets;
    if (!first) throw new Error('no ticket');
    await forms.run({ ...job, tickets: [{ ...first, probes: { p30: 15 } }, ...others] });
    expect(formed[0]?.split.sums.toSorted()).toEqual([41, 41]);
  });

  it('refuses, once and for all, what cannot be split, and says why', async () => {
    const { forms, formed, refused } = setUp();
    const pairs = [
      ['p30', 'p20'],
      ['p26', 'p21'],
      ['p25', 'p24'],
    ];
    expect(await forms.run(jobOf(pairs, 3))).toBe('refused');

    expect(formed).toEqual([]);
    expect(refused).toEqual([
      {
        matchId: 'mat_00000001',
        reason: expect.stringMatching(/^No split into teams of 3 and 3 /),
        failed: ['tkt_0', 'tkt_1', 'tkt_2'],
      },
    ]);
  });
});
