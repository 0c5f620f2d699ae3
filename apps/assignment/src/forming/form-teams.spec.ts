import { FormTeamsJob, textOf } from '@muster/contracts';
import { message, RatingUnavailable, verbatim, type FormedMatch, type Explanation } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import type { TeamRequest } from '../ratings/rating.client.js';
import { FormTeams } from './form-teams.js';
import type { PostgresMatchStore } from './match.store.js';

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
    bots: 0,
    map: null,
    why: ['They waited.'],
    proposedAt: noon,
  };
}

/** A player's mu is the number in their name, or 20. */
function setUp() {
  const state = { isRatingAway: false, isDecided: false };
  const formed: FormedMatch[] = [];
  const refused: { matchId: string; reason: Explanation; failed: readonly string[]; stale?: true }[] = [];
  const store: Pick<PostgresMatchStore, 'form' | 'refuse' | 'isDecided' | 'settle'> = {
    isDecided: async () => state.isDecided,
    settle: async () => ({ verdict: 'formed', reason: null, failedTicketIds: [] }),
    async form(match) {
      formed.push(match);
      return { outcome: 'formed' };
    },
    async refuse(matchId, reason, failed, _tickets, stale) {
      refused.push({ matchId, reason, failed, ...(stale ? { stale } : {}) });
      return { verdict: 'refused', reason, failedTicketIds: failed };
    },
  };
  const asked: (readonly TeamRequest[])[] = [];
  const forms = new FormTeams(
    {
      async read(pool, playerIds) {
        if (state.isRatingAway) throw new RatingUnavailable('No answer.');
        return playerIds.map((playerId) => ({
          pool,
          playerId,
          mu: /^p\d+$/.test(playerId) ? Number(playerId.slice(1)) : 20,
          sigma: 8,
          matches: 0,
        }));
      },
      async predict(_pool, teams) {
        asked.push(teams);
        return [0.5, 0.5];
      },
    },
    store,
    { now: () => noon },
  );
  return { forms, formed, refused, asked, state };
}

describe('FormTeams', () => {
  it("stores the solver's method, proof, and the best rejected split", async () => {
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
    expect(match?.why[0]).toEqual(verbatim('They waited.'));
    expect(textOf(match?.why ?? [])).toMatch(/There was one way.*proven to be the most even/);
  });

  it('forms a match of players named toString and constructor', async () => {
    const { forms, formed } = setUp();
    const names = Object.getOwnPropertyNames(Object.prototype);
    const job = jobOf(
      names.map((name) => [name]),
      names.length / 2,
    );
    const tickets = job.tickets.map((ticket, i) => ({
      ...ticket,
      // The other maps of their tickets are records; half of the players have no entry.
      canPlay: i % 2 === 0 ? { [ticket.playerIds[0] ?? '']: ['valueOf', 'isPrototypeOf'] } : {},
      ...(i % 3 === 0 ? { probes: {} } : {}),
    }));

    expect(await forms.run({ ...job, tickets, rules: { ...job.rules, roles: { valueOf: 1 } } })).toBe(
      'formed',
    );
    expect(formed[0]?.players.map(({ playerId }) => playerId).toSorted()).toEqual(names.toSorted());
    expect(formed[0]?.players.filter(({ role }) => role === 'valueOf')).toHaveLength(2);
    for (const { mu } of formed[0]?.players ?? []) expect(mu).toBe(20);
  });

  it('gives up a proposal that fails at every attempt: its tickets fail with a reason', async () => {
    const { forms, refused } = setUp();
    await forms.giveUp(jobOf([['p1'], ['p2']], 1));
    expect(refused).toEqual([
      { matchId: 'mat_00000001', reason: [message('match.failed')], failed: ['tkt_0', 'tkt_1'] },
    ]);
  });

  it('stores the best rejected split', async () => {
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

  describe('ratings that changed while the match was made', () => {
    const parties = [['p30'], ['p20'], ['p26'], ['p21']];
    /** Matched by these levels, under rules that allow so much. */
    const matchedBy = (
      levels: readonly number[],
      spread: number | null,
      gap: number | null,
    ): FormTeamsJob => {
      const job = jobOf(parties, 2);
      const tickets = job.tickets.map((ticket, t) => ({
        ...ticket,
        levels: { [ticket.playerIds[0] ?? '']: levels[t] ?? 0 },
      }));
      return FormTeamsJob.parse({ ...job, tickets, allowed: { spread, gap } });
    };
    const fellApart = {
      matchId: 'mat_00000001',
      reason: [message('match.ratings-changed')],
      failed: [],
      stale: true,
    };

    it('let the match fall apart if the rules do not allow it with them, and nobody is out of the queue', async () => {
      const { forms, formed, refused } = setUp();
      // p30 had 25 when matched, "within 5 points".
      expect(await forms.run(matchedBy([25, 20, 26, 21], 6, 20))).toBe('refused');
      // The tickets may differ, the teams may not: 30 + 20 against 26 + 21.
      expect(await forms.run(matchedBy([25, 20, 24, 21], null, 2))).toBe('refused');
      expect(refused).toEqual([fellApart, fellApart]);
      expect(formed).toEqual([]);
    });

    it('make no difference where the rules allow it, or where none did', async () => {
      const { forms, refused } = setUp();
      expect(await forms.run(matchedBy([25, 20, 26, 21], 10, 3))).toBe('formed');
      // Limits were lifted for it.
      expect(await forms.run(matchedBy([30.00004, 20, 26, 21], 1, 1))).toBe('formed');
      // The previous release says neither.
      expect(await forms.run(jobOf(parties, 2))).toBe('formed');
      expect(refused).toEqual([]);
    });

    it('leave a probe and the level of a booster as they are', async () => {
      const { forms, refused } = setUp();
      const job = matchedBy([25, 25, 26, 21], 5, null);
      const [first, second, ...others] = job.tickets;
      if (!first || !second) throw new Error('no ticket');
      const booster = { boosterId: 'bst_1', division: 'Gold', higher: true };
      const led = [
        { ...first, probes: { p30: 25 } },
        { ...second, boosters: { p20: booster } },
      ];
      expect(await forms.run(FormTeamsJob.parse({ ...job, tickets: [...led, ...others] }))).toBe('formed');
      expect(refused).toEqual([]);
    });
  });

  it('counts a newcomer at the level of their probe', async () => {
    const { forms, formed } = setUp();
    const job = jobOf([['p30'], ['p20'], ['p26'], ['p21']], 2);
    const [first, ...others] = job.tickets;
    if (!first) throw new Error('no ticket');
    await forms.run({ ...job, tickets: [{ ...first, probes: { p30: 15 } }, ...others] });
    expect(formed[0]?.split.sums.toSorted()).toEqual([41, 41]);
  });

  it('counts a player with a booster at their rating, stores the booster, and tells the others', async () => {
    const { forms, formed } = setUp();
    const job = jobOf([['p30'], ['p20'], ['p26'], ['p21']], 2);
    const booster = { boosterId: 'bst_1', division: 'Gold', higher: true };
    const [first, second, ...others] = job.tickets;
    if (!first || !second) throw new Error('no ticket');
    await forms.run(
      FormTeamsJob.parse({
        ...job,
        tickets: [first, { ...second, boosters: { p20: booster } }, ...others],
      }),
    );
    // The most even teams by rating: 30 + 20 and 26 + 21.
    expect(formed[0]?.split.difference).toBe(3);
    const players = formed[0]?.players ?? [];
    expect(players.filter((player) => player.booster)).toEqual([
      expect.objectContaining({ playerId: 'p20', mu: 20, booster }),
    ]);
    expect(textOf(formed[0]?.why ?? [])).toContain('p20 plays up in Gold as an apprentice, with a booster');
  });

  it("fills roles in every team, and stores each player's role", async () => {
    const { forms, formed } = setUp();
    const job = jobOf([['p30'], ['p20'], ['p26'], ['p21']], 2);
    // The most even teams have both on one: p30 with p20, and p26 with p21.
    const healers = ['p30', 'p20'];
    await forms.run({
      ...job,
      rules: { ...job.rules, roles: { healer: 1 } },
      tickets: job.tickets.map((ticket) => ({
        ...ticket,
        canPlay: Object.fromEntries(
          ticket.playerIds.flatMap((id) => (healers.includes(id) ? [[id, ['healer']]] : [])),
        ),
      })),
    });

    const [match] = formed;
    const healing = match?.players.filter((player) => player.role === 'healer') ?? [];
    expect(healing.map(({ playerId }) => playerId).toSorted()).toEqual(['p20', 'p30']);
    expect(new Set(healing.map(({ team }) => team)).size).toBe(2);
    expect(textOf(match?.why ?? [])).toMatch(/Team 1: p\d+ plays healer\. Team 2: p\d+ plays healer\./);
    expect(match?.players.filter(({ role }) => role === undefined)).toHaveLength(2);
    expect(match?.split.difference).toBe(5);
  });

  it('refuses a match whose roles cannot be filled', async () => {
    const { forms, refused } = setUp();
    const job = jobOf([['p30'], ['p20'], ['p26'], ['p21']], 2);
    expect(await forms.run({ ...job, rules: { ...job.rules, roles: { healer: 1 } } })).toBe('refused');
    expect(refused[0]?.reason).toMatchObject([{ code: 'match.unsolvable' }]);
    expect(JSON.stringify(refused[0]?.reason)).toContain('healer');
  });

  it('keeps avoided players off one team, and no others', async () => {
    const { forms, formed } = setUp();
    // The most even teams are p30 with p20 and p26 with p21.
    const job = jobOf([['p30'], ['p20'], ['p26'], ['p21']], 2);
    await forms.run({
      ...job,
      tickets: job.tickets.map((ticket) => ({
        ...ticket,
        avoid: ticket.playerIds.includes('p30')
          ? [
              { playerId: 'p20', scope: 'team' as const },
              { playerId: 'somebody else', scope: 'team' as const },
              { playerId: 'p21', scope: 'match' as const },
            ]
          : [],
      })),
    });
    const teamOf = new Map(formed[0]?.players.map(({ playerId, team }) => [playerId, team]));
    expect(teamOf.get('p30')).not.toBe(teamOf.get('p20'));
    expect(teamOf.get('p30')).toBe(teamOf.get('p21'));
    expect(formed[0]?.split.difference).toBe(5);
  });

  it('fills empty places with bots, stores their number per team, and reports that the chances exclude them', async () => {
    const { forms, formed, asked } = setUp();
    const job = jobOf([['p30', 'p20'], ['p26']], 3);
    const rules = { ...job.rules, bots: { skill: 10 } };
    await forms.run({ ...job, rules, bots: 3, map: 'castle' });

    const [match] = formed;
    const partyTeam = match?.players.find(({ playerId }) => playerId === 'p30')?.team ?? -1;
    expect(match).toMatchObject({ map: 'castle', split: { difference: 14 } });
    expect(match?.bots[partyTeam]).toBe(1);
    expect(match?.bots[1 - partyTeam]).toBe(2);
    expect(match?.split.sums.toSorted()).toEqual([46, 60]);
    // In rating points, as without bots.
    expect(match?.split.certificate).toMatchObject({ status: 'proven', value: 14, lowerBound: 14, gap: 0 });
    expect(asked[0]?.map(({ playerIds }) => playerIds.length).toSorted()).toEqual([1, 2]);
    expect(textOf(match?.why ?? [])).toMatch(
      /Empty places are filled: \d bots? on team 1, \d bots? on team 2\..*bots are not counted/,
    );
  });

  it('accepts a job of a release that knew neither', async () => {
    const { forms, formed } = setUp();
    const { bots: _bots, map: _map, ...old } = jobOf([['p30'], ['p20'], ['p26'], ['p21']], 2);
    expect(await forms.run(FormTeamsJob.parse(old))).toBe('formed');
    expect(formed[0]).toMatchObject({ bots: [0, 0], map: null, split: { difference: 3 } });
    expect(textOf(formed[0]?.why ?? [])).not.toContain('bot');
  });

  it('that cannot read ratings waits while its proposal is open, and ends once that was settled', async () => {
    const { forms, state, formed } = setUp();
    const job = jobOf([['p30'], ['p20']], 1);
    state.isRatingAway = true;
    await expect(forms.run(job)).rejects.toBeInstanceOf(RatingUnavailable);
    state.isDecided = true;
    expect(await forms.run(job)).toBe('decided before');
    expect(formed).toEqual([]);
  });

  it('refuses a proposal without a split for good, with a reason', async () => {
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
        reason: [
          {
            code: 'match.unsolvable',
            params: { detail: expect.stringMatching(/^No split into teams of 3 and 3 /) as string },
          },
        ],
        failed: ['tkt_0', 'tkt_1', 'tkt_2'],
      },
    ]);
  });
});
