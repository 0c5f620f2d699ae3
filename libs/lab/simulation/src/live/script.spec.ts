import { describe, expect, it } from 'vitest';
import { communityServer } from './community-server.js';
import { scriptOf, smallerTeam, type LivePlayer, type MatchScript } from './script.js';

const numbers = Array.from({ length: 200 }, (_, number) => number);
const started = ({ start }: MatchScript): { player: LivePlayer; team: number }[] =>
  start.flatMap(({ group, team }) => group.players.map((player) => ({ player, team })));
const seen = (script: MatchScript): unknown =>
  JSON.parse(JSON.stringify(script, (key, value: unknown) => (key === 'life' ? undefined : value)));

describe('the script of a match', () => {
  it('is deterministic for seed and number, and differs for others', () => {
    const script = scriptOf(communityServer, 'as-they-came', 3, 8);
    expect(seen(scriptOf(communityServer, 'as-they-came', 3, 8))).toEqual(seen(script));
    expect(seen(scriptOf(communityServer, 'as-they-came', 4, 8))).not.toEqual(seen(script));
    expect(seen(scriptOf(communityServer, 'as-they-came', 3, 12))).not.toEqual(seen(script));
  });

  it('has the same players for either start, and the even start is more even by rating', () => {
    let [asTheyCame, even] = [0, 0];
    for (const number of numbers) {
      const came = scriptOf(communityServer, 'as-they-came', 1, number);
      const split = scriptOf(communityServer, 'even', 1, number);
      const ids = (script: MatchScript): string[] =>
        started(script)
          .map(({ player }) => player.playerId)
          .toSorted();
      expect(ids(split)).toEqual(ids(came));
      expect(seen({ ...split, start: [] })).toEqual(seen({ ...came, start: [] }));
      const gap = (script: MatchScript): number =>
        Math.abs(started(script).reduce((sum, { player, team }) => sum + (team ? -1 : 1) * player.rating, 0));
      asTheyCame += gap(came);
      even += gap(split);
    }
    expect(even).toBeLessThan(asTheyCame / 5);
  });

  it('begins with parties together, teams as equal in size as these allow, and no more players than places', () => {
    for (const number of numbers) {
      const script = scriptOf(communityServer, 'as-they-came', 2, number);
      const sizes = [0, 1].map((side) => started(script).filter(({ team }) => team === side).length);
      // A single player evens the sizes out, one each.
      const alone = script.start.filter(({ group }) => group.players.length === 1).length;
      expect(Math.abs(sizes[0]! - sizes[1]!)).toBeLessThanOrEqual(Math.max(1, 3 - alone));
      expect(sizes[0]! + sizes[1]!).toBeLessThanOrEqual(script.places);
      expect(sizes[0]! + sizes[1]!).toBeGreaterThanOrEqual(Math.floor(0.75 * script.places));
      for (const { group, team } of script.start)
        for (const player of group.players)
          expect(started(script).find((each) => each.player === player)?.team).toBe(team);
    }
  });

  it("draws skills, errors and arrivals with the server's parameters", () => {
    const scripts = numbers.map((number) => scriptOf(communityServer, 'as-they-came', 5, number));
    const all = scripts.flatMap((script) => [
      ...script.start.map(({ group }) => group),
      ...script.arrivals.map(({ group }) => group),
    ]);
    const players = all.flatMap((group) => group.players);
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, each) => sum + each, 0) / values.length;
    const { skill } = communityServer;
    expect(mean(players.map(({ truth }) => truth))).toBeCloseTo(skill.mean, 0);
    const friends = all.filter((group) => group.players.length > 1).map((group) => group.players[1]!.truth);
    const spread = (values: readonly number[]): number =>
      Math.sqrt(mean(values.map((each) => (each - mean(values)) ** 2)));
    expect(Math.abs(spread(players.map(({ truth }) => truth)) / skill.sigma - 1)).toBeLessThan(0.05);
    expect(Math.abs(spread(friends) / skill.sigma - 1)).toBeLessThan(0.1);
    const strangers = players.filter(({ rating }) => rating === skill.mean).length / players.length;
    expect(Math.abs(strangers - skill.newcomers)).toBeLessThan(0.02);
    const coming = scripts.reduce(
      (sum, { arrivals }) => sum + arrivals.flatMap(({ group }) => group.players).length,
      0,
    );
    const { demand, matchSeconds, meanStaySeconds } = communityServer;
    const places = scripts.reduce((sum, script) => sum + script.places, 0);
    expect(Math.abs(coming / ((places * demand * matchSeconds) / meanStaySeconds) - 1)).toBeLessThan(0.1);
  });
});

it('puts a player on the smaller team, by a draw when neither is', () => {
  expect(smallerTeam([3, 4], 0.9)).toBe(0);
  expect(smallerTeam([4, 3], 0.1)).toBe(1);
  expect([0.1, 0.9].map((toss) => smallerTeam([4, 4], toss)).toSorted()).toEqual([0, 1]);
});
