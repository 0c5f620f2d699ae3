import { message } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { team, teams } from '../../test-support/rosters.js';
import { absentBot, botsFor, idealBots, idealPlayerCount, teamsAtStart } from './bots.js';
import type { Roster } from '../roster/roster.js';

const map = (min: number, max: number): { idealPlayers: { min: number; max: number } } => ({
  idealPlayers: { min, max },
});

describe('the ideal number of players and bots (L1)', () => {
  it.each([
    ["the minimum, within the map's range", [1, 1], 6, [4, 8], 6],
    ['the map needs more', [1, 1], 6, [8, 12], 8],
    ['the map needs fewer', [1, 1], 16, [6, 12], 12],
    ['rounded up to a multiple of two teams', [1, 1], 5, [2, 16], 6],
    ['rounded up to a multiple of three teams', [1, 1, 1], 8, [2, 16], 9],
    ['rounded up after the map has bounded it', [1, 1], 16, [2, 7], 8],
    ['as many on every team as humans on the largest', [5, 2], 6, [2, 16], 10],
    ['as many on every team, whatever the map says', [5, 2], 6, [2, 8], 10],
    ['nobody there', [0, 0], 6, [2, 16], 6],
    ['no teams: not rounded', [], 7, [2, 16], 7],
    ['no teams: only bounded', [], 20, [2, 9], 9],
  ])('%s', (_, humans, minPlayers, [min, max], expected) => {
    expect(idealPlayerCount(humans, { minPlayers }, { min: min!, max: max! })).toBe(expected);
  });

  it('follows humans from a small map to a large one, as the source states', () => {
    const humans = [...team(0, [1, 2, 3]), ...team(1, [1, 2])];
    const plans = [map(2, 4), map(8, 12), map(14, 20)].map((each) =>
      idealBots({ teams: 2, players: humans, map: each }, { minPlayers: 6 }),
    );

    expect(plans.map(({ players, byTeam }) => [players, byTeam])).toEqual([
      [6, [0, 1]],
      [8, [1, 2]],
      [14, [4, 5]],
    ]);
  });

  it('reports the bots that join and leave', () => {
    const roster: Roster = {
      teams: 2,
      players: [
        ...team(0, [1, 2]),
        ...team(1, [3]),
        { playerId: 'bot', team: 0, rating: 2, bot: true },
        { playerId: 'watcher', team: 1, rating: 2, spectator: true },
      ],
    };

    expect(idealBots(roster, { minPlayers: 4 })).toEqual({
      players: 4,
      bots: 1,
      byTeam: [0, 1],
      change: [-1, 1],
      why: [
        message('bots.by-team', {
          bots: 1,
          teams: [
            message('bots.on-team', { team: 0, bots: 0 }),
            message('bots.on-team', { team: 1, bots: 1 }),
          ],
          players: 2,
          least: null,
          most: null,
        }),
      ],
    });
  });

  it('counts all but spectators where there are no teams', () => {
    const players = [
      { playerId: 'a', team: null, rating: 1 },
      { playerId: 'b', team: null, rating: 1, spectator: true },
      { playerId: 'c', team: null, rating: 1, bot: true },
    ];

    expect(idealBots({ teams: 1, players, map: map(3, 5) }, { minPlayers: 2 })).toMatchObject({
      players: 3,
      bots: 2,
      byTeam: null,
      change: [1],
    });
  });

  it('is sufficient, a multiple of the teams, and minimal', () => {
    const humans = fc.array(fc.nat({ max: 20 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(
        humans,
        fc.nat({ max: 40 }),
        fc.nat({ max: 20 }),
        fc.nat({ max: 20 }),
        (on, min, low, more) => {
          const range = { min: low, max: low + more };
          const players = idealPlayerCount(on, { minPlayers: min }, range);
          const needed = on.length * Math.max(...on);

          expect(players % on.length).toBe(0);
          expect(players).toBeGreaterThanOrEqual(Math.max(needed, low));
          if (players > needed)
            expect(players).toBeLessThan(Math.min(Math.max(min, low), range.max) + on.length);
        },
      ),
    );
  });

  it('refuses invalid numbers of players', () => {
    expect(() => idealPlayerCount([1], { minPlayers: -1 })).toThrow('minPlayers is -1');
    expect(() => idealBots({ ...teams([1], [2]), map: map(5, 2) }, { minPlayers: 1 })).toThrow(
      'idealPlayers',
    );
    expect(() => idealBots({ ...teams([Number.NaN], [2]) }, { minPlayers: 1 })).toThrow('Rating');
  });
});

describe('bots that join and leave (L3, L4)', () => {
  const bots = (...list: [number, number][]): Roster['players'] =>
    list.map(([on, rating], i) => ({ playerId: `bot${i}`, team: on, rating, bot: true }));

  it("uses the mean of the team's bots for one that leaves", () => {
    const roster: Roster = {
      teams: 2,
      players: [...team(0, [9]), ...bots([1, 10], [0, 4], [1, 20])],
      meanBot: 99,
    };

    expect(botsFor(roster, [2, 0], { minPlayers: 2 })).toEqual({
      bots: [0, 2],
      change: [-1, 0],
      gain: [-4, 0],
    });
    expect(botsFor(roster, [2, 1], { minPlayers: 2 })).toEqual({
      bots: [0, 1],
      change: [-1, -1],
      gain: [-4, -15],
    });
  });

  it('uses the mean of all bots for one that joins, less those present where their number is known', () => {
    const roster: Roster = { teams: 2, players: bots([0, 4], [1, 10]), meanBot: 12 };

    expect(absentBot(roster)).toBe(12);
    // Five of mean 12 are 60; without 4 and 10 there are three of 46 together.
    expect(absentBot(roster, { known: 5 })).toBeCloseTo(46 / 3);
    expect(absentBot(roster, { known: 2 })).toBe(12);
    expect(absentBot({ ...roster, meanBot: undefined })).toBe(7);
    expect(absentBot({ teams: 2, players: [] })).toBe(0);
    expect(botsFor({ ...roster, players: [] }, [1, 0], { minPlayers: 2 }).gain).toEqual([0, 12]);
  });

  it('leaves bots unchanged without rules', () => {
    expect(botsFor({ teams: 2, players: bots([0, 4]) }, [5, 5], null)).toEqual({
      bots: [1, 0],
      change: [0, 0],
      gain: [0, 0],
    });
  });
});

describe('teams at the start (L2)', () => {
  // The source's own list of players.
  const weights = [5, 3, 2, 7, 23, 92, 93, 95, 27, 56, 28, 99, 1, 23, 83, 41, 49];
  const roster: Roster = {
    teams: 2,
    players: weights.map((rating, i) => ({ playerId: `p${i}`, team: null, rating })),
    meanBot: 20,
    map: map(6, 12),
  };

  it('splits the players of the source as evenly as possible, one bot among them', () => {
    const start = teamsAtStart(roster, { bots: { minPlayers: 8 }, best: 1, seed: 1 });

    expect(start).toMatchObject({ outcome: 'teams' });
    if (start.outcome !== 'teams') return;
    expect(start.bots.toSorted()).toEqual([0, 1]);
    expect(start.teams.map((ids) => ids.length).toSorted()).toEqual([8, 9]);
    // 747 together, an odd number.
    expect(start.sums.toSorted()).toEqual([373, 374]);
    expect(start.ratio).toBeCloseTo(373 / 374);
  });

  it('draws one of the best splits by a seed', () => {
    const drawn = Array.from({ length: 30 }, (_, seed) =>
      JSON.stringify(teamsAtStart(roster, { bots: { minPlayers: 8 }, seed })),
    );

    expect(new Set(drawn).size).toBeGreaterThan(1);
    expect(JSON.stringify(teamsAtStart(roster, { bots: { minPlayers: 8 }, seed: 3 }))).toBe(drawn[3]);
  });

  it('keeps parties together, leaves bots and spectators out', () => {
    const players = [
      { playerId: 'x', team: 0, rating: 9, partyId: 'friends' },
      { playerId: 'y', team: 1, rating: 9, partyId: 'friends' },
      { playerId: 'z', team: 0, rating: 1, partyId: 'alone' },
      { playerId: 'w', team: 0, rating: 1 },
      { playerId: 'bot', team: 0, rating: 50, bot: true },
      { playerId: 'tv', team: null, rating: 50, spectator: true },
    ];
    const start = teamsAtStart({ teams: 2, players }, { bots: null, seed: 1 });

    expect(start).toMatchObject({ outcome: 'teams', bots: [0, 0] });
    expect(start.outcome === 'teams' && start.teams.map((ids) => ids.toSorted()).toSorted()).toEqual([
      ['w', 'z'],
      ['x', 'y'],
    ]);
  });

  it('explains in words why there is no split', () => {
    expect(teamsAtStart(teams([1, 2]), { bots: null, seed: 1 })).toMatchObject({ outcome: 'refused' });
    const party = { teams: 2, players: team(0, [1, 1, 1, 1], { partyId: 'all' }) };
    const start = teamsAtStart(party, { bots: null, seed: 1 });

    expect(start).toMatchObject({ outcome: 'refused', detail: expect.stringMatching(/party/) as string });
  });
});
