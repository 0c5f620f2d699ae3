import type { AnswerOf, BodyOf } from '@muster/contracts';
import { expect } from 'vitest';

export type SplitBody = BodyOf<'splitTeams'>;
export type SplitView = AnswerOf<'splitTeams'>;
export interface Weighed {
  readonly id: string;
  readonly weight: number;
}

/** Players p1, p2 and so on. */
export const named = (weights: readonly number[]): Weighed[] =>
  weights.map((weight, i) => ({ id: `p${i + 1}`, weight }));
/** The total weight of some players. */
export const total = (players: readonly Weighed[], ids: readonly string[]): number =>
  ids.reduce((sum, id) => sum + (players.find((player) => player.id === id)?.weight ?? NaN), 0);

/** Checks that every player is placed once, sums include bots, and the figures follow from the sums. */
export function expectToAddUp({ players, bots: rules }: SplitBody, { solutions }: SplitView): void {
  for (const { teams, bench, bots, sums, difference, ratio } of solutions) {
    expect([...teams.flat(), ...bench].toSorted()).toEqual(players.map(({ id }) => id).toSorted());
    teams.forEach((team, t) =>
      expect(sums[t]).toBeCloseTo(total(players, team) + (bots[t] ?? 0) * (rules?.weight ?? 0), 9),
    );
    expect(difference).toBeCloseTo(Math.max(...sums) - Math.min(...sums), 9);
    expect(ratio).toBeCloseTo(Math.min(...sums) / Math.max(...sums), 9);
  }
}

/** The same text for the same teams in any order. */
export function partition(teams: readonly (readonly string[])[]): string {
  return teams
    .map((team) => team.toSorted().join(' '))
    .toSorted()
    .join(' | ');
}

export function variance(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
}
