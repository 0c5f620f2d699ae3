import type { CommunityServer } from './community-server.js';
import { playMatch, type LiveContender } from './play-match.js';
import type { MatchFigures } from './figures.js';
import { scriptOf, type LiveStart } from './script.js';

export interface LiveSimulation {
  readonly server: CommunityServer;
  readonly start: LiveStart;
  /** Number of matches, at least one. */
  readonly matches: number;
  /** Any whole number. The same one gives every contender the same players, arrivals, departures, lives and votes. */
  readonly seed: number;
  /** Called after each match with the number done. */
  readonly progress?: (done: number) => void;
}

/** The figures of each match under a contender, in the order of their numbers. Deterministic for a seed, to the bit. */
export function playMatches(simulation: LiveSimulation, contender: LiveContender): MatchFigures[] {
  const { server, start, matches, seed, progress } = simulation;
  return Array.from({ length: matches }, (_, number) => {
    const figures = playMatch(server, scriptOf(server, start, seed, number), contender);
    progress?.(number + 1);
    return figures;
  });
}

/** The first team's chance in every second of one match. */
export function traceOf(
  { server, start, seed }: Omit<LiveSimulation, 'matches' | 'progress'>,
  number: number,
  contender: LiveContender,
): number[] {
  const chances: number[] = [];
  playMatch(server, scriptOf(server, start, seed, number), contender, (chance) => chances.push(chance));
  return chances;
}
