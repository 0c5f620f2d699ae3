/**
 * Whether parties of these sizes fit into `teams` teams of `teamSize` without being split. Places may stay empty. Exact:
 * tries the largest party first on every team with room, skipping equal teams.
 *
 * @param sizes party sizes, each at least 1
 */
export function fits(sizes: readonly number[], teams: number, teamSize: number): boolean {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > teams * teamSize) return false;
  // Solos fill any hole: only parties decide.
  const parties = sizes.filter((size) => size > 1).toSorted((a, b) => b - a);
  const room = Array.from({ length: teams }, () => teamSize);
  const seat = (index: number): boolean => {
    const size = parties[index];
    if (size === undefined) return true;
    const tried = new Set<number>();
    for (let team = 0; team < teams; team++) {
      const free = room[team] ?? 0;
      if (free < size || tried.has(free)) continue;
      tried.add(free);
      room[team] = free - size;
      if (seat(index + 1)) return true;
      room[team] = free;
    }
    return false;
  };
  return seat(0);
}
