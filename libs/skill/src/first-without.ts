import type { Contest, PlayerFacts } from './model.js';

/** The first participating player for whom a fact is missing, for a sentence; null when there is none. */
export function firstWithout(
  { teams, weights, facts }: Contest,
  has: (facts: PlayerFacts) => boolean,
): string | null {
  for (let t = 0; t < teams.length; t++) {
    const size = teams[t]?.length ?? 0;
    for (let p = 0; p < size; p++) {
      if (weights?.[t]?.[p] === 0) continue;
      const known = facts?.[t]?.[p];
      if (!known || !has(known)) return `player ${p + 1} of team ${t + 1}`;
    }
  }
  return null;
}
