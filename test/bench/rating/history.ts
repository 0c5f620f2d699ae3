import { seededRandom, type Random } from '@muster/domain';
import type { PlayerFacts } from '@muster/skill';

/** The number and sizes of teams. */
export interface Shape {
  readonly name: '1v1' | '5v5' | '20-way';
  readonly teams: number;
  readonly size: number;
}

export const shapes: readonly Shape[] = [
  { name: '1v1', teams: 2, size: 1 },
  { name: '5v5', teams: 2, size: 5 },
  { name: '20-way', teams: 20, size: 1 },
];

/** A match of players by number. */
export interface DrawnMatch {
  readonly teams: readonly (readonly number[])[];
  /** Rank by team, 1 is best. */
  readonly ranks: readonly number[];
}

/** Matches among `players`, decided by true skill with some luck. */
export function drawMatches(shape: Shape, players: number, count: number, seed: number): DrawnMatch[] {
  const random = seededRandom(seed);
  const truth = Array.from({ length: players }, () => normal(random));
  return Array.from({ length: count }, () => drawMatch(shape, truth, random));
}

function drawMatch({ teams, size }: Shape, truth: readonly number[], random: Random): DrawnMatch {
  const chosen = new Set<number>();
  while (chosen.size < teams * size) chosen.add(Math.floor(random() * truth.length));
  const ids = [...chosen];
  const rosters = Array.from({ length: teams }, (_, t) => ids.slice(t * size, (t + 1) * size));
  const scores = rosters.map((team) =>
    team.reduce((sum, player) => sum + (truth[player] ?? 0) + normal(random), 0),
  );
  const order = scores.toSorted((a, b) => b - a);
  return { teams: rosters, ranks: scores.map((score) => order.indexOf(score) + 1) };
}

/** Scoreboard facts of a match, for models that need them: winners scored more. */
export function factsOf({ teams, ranks }: DrawnMatch): PlayerFacts[][] {
  let place = 1;
  return teams.map((team, t) =>
    team.map((player) => ({
      place: place++,
      kills: player % 17,
      deaths: player % 13,
      power: 100 * (player % 11),
      scoredFor: teams.length - (ranks[t] ?? 1),
      scoredAgainst: (ranks[t] ?? 1) - 1,
    })),
  );
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
