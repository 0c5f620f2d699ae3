import { seededRandom } from '@muster/domain';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { ArenaMatch, chanceOf, worth } from './match.js';

const ids = Array.from({ length: 12 }, (_, i) => `arena-${i}`);

describe('chanceOf', () => {
  it('is consistent for both sides, and grows with each player', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ids), fc.nat(12), (players, at) => {
        const [first, second] = [players.slice(0, at), players.slice(at)];
        const chance = chanceOf([first, second]);
        expect(chance + chanceOf([second, first])).toBeCloseTo(1, 12);
        const lead = [...first, ...second.map((id) => `-${id}`)].reduce(
          (sum, id) => sum + (id.startsWith('-') ? -worth(id.slice(1)) : worth(id)),
          0,
        );
        if (Math.abs(lead) > 1e-9) expect(chance > 0.5).toBe(lead > 0);
      }),
    );
    expect(chanceOf([[], []])).toBe(0.5);
  });
});

describe('ArenaMatch', () => {
  let match: ArenaMatch;
  beforeEach(() => {
    match = new ArenaMatch(seededRandom(7));
    ids.forEach((id, i) => match.join(id, i % 2 === 0 ? 0 : 1));
    match.beginRound();
  });

  it('has a roster of everybody with team, points and state; ratings are the pool’s', () => {
    while (match.fight() === 0);
    const { players, teams } = match.roster();
    expect(teams).toBe(2);
    expect(players.map(({ playerId }) => playerId).toSorted()).toEqual(ids.toSorted());
    expect(players.some(({ alive }) => alive === false)).toBe(true);
    expect(players.every((player) => !('rating' in player))).toBe(true);
  });

  it('gives a point for each kill, to a player of the other team, and respawns the dead', () => {
    let deaths = 0;
    for (let i = 0; i < 50; i++) {
      const died = match.fight();
      deaths += died;
      const { players } = match.roster();
      expect(players.filter(({ alive }) => alive === false)).toHaveLength(died);
      expect(players.reduce((sum, { points = 0 }) => sum + points, 0)).toBe(deaths);
    }
    expect(deaths).toBeGreaterThan(0);
  });

  it('reports the losing team of the round, and resets with the next', () => {
    for (const id of match.teams[0]) match.leave(id);
    match.join('arena-lone', 0);
    for (let i = 0; i < 10; i++) match.fight();
    expect(match.behind).toBe(0);
    expect(match.isStomp).toBe(true);
    match.beginRound();
    expect(match.behind).toBeNull();
    expect(match.isStomp).toBe(false);
  });

  it('ends a round with the teams of its start', () => {
    const [first, second] = match.teams;
    match.fight();
    expect(match.move(first[0] ?? '', 1)).toBe(true);
    expect(match.move(first[0] ?? '', 1)).toBe(false);
    match.leave(second[0] ?? '');
    match.join('arena-late', 1);
    expect(match.endRound()?.teams).toEqual([first, second]);
  });

  it('has no result where a team was empty', () => {
    for (const id of match.teams[1]) match.leave(id);
    match.beginRound();
    match.fight();
    expect(match.endRound()).toBeNull();
  });

  it('lets the better team win more often, not always', () => {
    const sorted = ids.toSorted((a, b) => worth(b) - worth(a));
    match.seat([sorted.slice(0, 6), sorted.slice(6)]);
    let won = 0;
    for (let n = 0; n < 200; n++) {
      match.beginRound();
      match.fight();
      if (match.endRound()?.winner === 0) won++;
    }
    expect(won).toBeGreaterThan(110);
    expect(won).toBeLessThan(200);
  });

  it('seats the named players, and begins a map with no points', () => {
    match.fight();
    match.seat([ids.slice(0, 3), ids.slice(3)]);
    match.newMap();
    expect(match.teams.map((team) => team.toSorted())).toEqual([
      ids.slice(0, 3).toSorted(),
      ids.slice(3).toSorted(),
    ]);
    expect(match.roster().players.every(({ points }) => points === 0)).toBe(true);
  });
});
