import type { Solver } from './solve-teams.js';

/** Pools from small to as large as takes some hundredths of a second, so that each solving method is compiled. */
const sizes = [12, 16, 20, 22, 24, 24, 24];
const deadlineMs = 500;

/**
 * Solves some problems and discards the answers. V8 compiles code after some runs, and until then it is ten times slower;
 * this warm-up happens before the first call.
 */
export function warmUp(teams: Solver): void {
  for (const size of sizes) {
    const players = Array.from({ length: size }, (_, i) => ({
      id: `p${i}`,
      weight: 1_000 + 100 * Math.sin(i),
    }));
    const ids = players.map(({ id }) => id);
    const half = size / 2;
    teams.splits({ players, bench: 'anyone', deadlineMs });
    teams.split({ players, teamSizes: [half, half], deadlineMs, wholeTime: false, best: 1, seed: 0 });
    teams.rebalance({
      players,
      current: [ids.slice(0, half), ids.slice(half)],
      tolerance: 0,
      deadlineMs,
    });
  }
  const inPairs = Array.from({ length: 40 }, (_, i) => ({
    id: `p${i}`,
    weight: 1_000 + 300 * Math.sin(i * i),
    ...(i % 3 === 0 ? {} : { party: `${i >> 1}` }),
  }));
  const teamSizes = [5, 5, 5, 5, 5, 5, 5, 5];
  teams.split({ players: inPairs, teamSizes, deadlineMs, wholeTime: false, best: 1, seed: 0 });
}
