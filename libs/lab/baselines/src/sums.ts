/** The input of most baselines. */
export interface WeighedPlayer {
  readonly id: string;
  /** Any finite number; teams have to be equal in its sum. */
  readonly weight: number;
}

/** The input of those that know parties. */
export interface PartyPlayer extends WeighedPlayer {
  /** Players of one party stay on one team. */
  readonly party?: string;
}

/** Teams as a baseline leaves them. */
export interface BaselineTeams {
  /** Ids by team. */
  readonly teams: readonly (readonly string[])[];
  readonly sums: readonly number[];
  /** Largest sum less the smallest. */
  readonly difference: number;
}

/** Heaviest first, by id where weights tie, so that the input order does not matter. */
export function heaviestFirst<T extends WeighedPlayer>(players: readonly T[]): T[] {
  return players.toSorted((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1));
}

export function total(players: readonly WeighedPlayer[]): number {
  return players.reduce((sum, player) => sum + player.weight, 0);
}

/** The index of the least value; the first of equal ones. */
export function indexOfLeast(values: readonly number[]): number {
  return values.reduce((least, value, i) => (value < (values[least] ?? Infinity) ? i : least), 0);
}

export function asTeams(teams: readonly (readonly WeighedPlayer[])[]): BaselineTeams {
  const sums = teams.map(total);
  return {
    teams: teams.map((team) => team.map((player) => player.id)),
    sums,
    difference: Math.max(...sums) - Math.min(...sums),
  };
}
