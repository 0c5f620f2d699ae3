import type { Random } from '@muster/domain';
import { normalBelow } from '../chance/normal.js';
import { drawNormal } from '../chance/draws.js';

/** The true strength of a team: performances are normal about `mean` with `variance`. */
export interface Strength {
  readonly mean: number;
  readonly variance: number;
}

/** A team's strength is the sum of its players'. @param performance standard deviation of one player's performance */
export function strengthOf(truths: readonly number[], performance: number): Strength {
  return {
    mean: truths.reduce((sum, truth) => sum + truth, 0),
    variance: truths.length * performance * performance,
  };
}

const points = 64;

/** The chance of each team to perform best, in team order: exact for two teams, by the midpoint rule for more. */
export function chancesOf(teams: readonly Strength[]): number[] {
  const [one, other] = teams;
  if (one && other && teams.length === 2) {
    const first = normalBelow((one.mean - other.mean) / Math.sqrt(one.variance + other.variance));
    return [first, 1 - first];
  }
  const chances = teams.map((team) => {
    let chance = 0;
    for (let i = 0; i < points; i++) {
      const z = ((i + 0.5) / points - 0.5) * 12;
      const at = team.mean + z * Math.sqrt(team.variance);
      let density = Math.exp(-0.5 * z * z);
      for (const rival of teams)
        if (rival !== team) density *= normalBelow((at - rival.mean) / Math.sqrt(rival.variance));
      chance += density;
    }
    return chance;
  });
  const total = chances.reduce((sum, chance) => sum + chance, 0);
  return chances.map((chance) => chance / total);
}

/** The best team's chance less an even share: for two teams, its distance from ½. */
export function unfairness(chances: readonly number[]): number {
  return Math.max(...chances) - 1 / chances.length;
}

/** Has the teams play. @returns rank by team, 1 is best */
export function play(teams: readonly Strength[], random: Random): number[] {
  const performances = teams.map(({ mean, variance }) => mean + Math.sqrt(variance) * drawNormal(random));
  return performances.map((own) => 1 + performances.filter((rival) => rival > own).length);
}
