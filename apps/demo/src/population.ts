import { seededRandom, seedOf, type Random } from '@muster/domain';

/** The players of the demo: solo players and friends who queue together. */
export interface Crew {
  /** The leader first. */
  readonly players: readonly string[];
}

/** Party sizes in turn: about half of the players queue with friends. */
const sizes = [1, 1, 1, 2, 1, 1, 3, 1, 2, 1, 1, 4, 1, 1, 5];

/** A standard normal draw (Box–Muller). */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Crews of exactly `count` players. */
export function crews(count: number): Crew[] {
  const all: Crew[] = [];
  let next = 1;
  for (let i = 0; next <= count; i++) {
    const size = Math.min(sizes[i % sizes.length] ?? 1, count - next + 1);
    all.push({
      players: Array.from({ length: size }, (_, k) => `demo-${String(next + k).padStart(4, '0')}`),
    });
    next += size;
  }
  return all;
}

/** The hidden skill of a demo player (standard normal). Only the demo's servers and its summary know it. */
export function hiddenSkill(playerId: string): number {
  return gaussian(seededRandom(seedOf(`skill of ${playerId}`)));
}

/**
 * Plays a match by hidden skill.
 *
 * @param teams two teams of player ids
 * @param bots number of bots of average skill on each team
 * @returns ranks by team; one match in fifty is a draw
 */
export function playOut(
  teams: readonly (readonly string[])[],
  random: Random,
  bots: readonly number[] = [],
): number[] {
  if (random() < 0.02) return teams.map(() => 1);
  const strength = teams.map((team) => team.reduce((sum, id) => sum + hiddenSkill(id), 0));
  // Each player's form adds noise, so the better team wins often, not always.
  const shown = strength.map(
    (sum, t) => sum + gaussian(random) * 0.7 * Math.sqrt((teams[t]?.length ?? 1) + (bots[t] ?? 0)),
  );
  const order = shown.toSorted((a, b) => b - a);
  return shown.map((score) => order.indexOf(score) + 1);
}
