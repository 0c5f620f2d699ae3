import { heaviestFirst, parties } from '../problem/atoms.js';
import type { SplitProblem } from '../problem/problem.js';
import type { Quantised } from '../problem/quantise.js';
import { roleRules } from '../problem/roles.js';
import { moreEven, type Evened } from './team-search.js';
import { placesOf, shiftFor } from '../problem/ratio.js';

/** A party or a single player, for more than two teams. */
interface Group {
  readonly members: readonly number[];
  readonly weight: number;
}

/** A prepared problem of more than two teams: computes a team's level, and checks constraints. */
export interface Arrangement {
  readonly problem: SplitProblem;
  readonly weights: Quantised;
  /** Parties and single players: the largest first, then the heaviest. */
  readonly groups: readonly Group[];
  /** Indices of players, heaviest first. */
  readonly order: readonly number[];
  /** The value compared between teams, in quanta: the sum with the bots', or the mean. */
  readonly level: (team: number, sum: number) => number;
  /** The unevenness of teams whose levels run from `low` to `high`: the difference; with bots, 1 − ratio. */
  readonly uneven: (low: number, high: number) => number;
  readonly measure: (teams: readonly (readonly number[])[]) => Evened;
  /** False when there are too few or too many players for the roles, for any teams. */
  readonly possible: boolean;
  /** Added to every weight for ratios, in quanta; the same for all sizes that bots allow. */
  readonly shift: number;
  readonly avoids: (i: number, j: number) => boolean;
  readonly keepsRoles: (members: readonly number[]) => boolean;
  /** Roles or avoided pairs constrain teams, beside parties and sizes. */
  readonly bound: boolean;
  /** Single players without constraints. */
  readonly lone: boolean;
  /** Single players without constraints in teams of one size. */
  readonly plain: boolean;
}

export function arrange(problem: SplitProblem, weights: Quantised): Arrangement {
  const { players, teamSizes, bots, objective, avoid = [] } = problem;
  const order = heaviestFirst(players);
  const inParty = new Map(
    [...parties(players).values()].flatMap((list) => list.map((i) => [i, list] as const)),
  );
  const groups: Group[] = [];
  for (const i of order) {
    const party = inParty.get(i);
    if (party && order.find((j) => party.includes(j)) !== i) continue;
    const members = party ?? [i];
    groups.push({ members, weight: members.reduce((sum, j) => sum + weights.values[j]!, 0) });
  }
  groups.sort((a, b) => b.members.length - a.members.length || b.weight - a.weight);
  const places = bots ? placesOf(bots.fillTo, teamSizes) : 0;
  const bot = bots ? weights.values[players.length]! : 0;
  const level = (team: number, sum: number): number => {
    const size = teamSizes[team]!;
    if (bots) return sum + bot * (places - size);
    return objective?.kind === 'mean' ? sum / size : sum;
  };
  const descending = Float64Array.from(order, (i) => weights.values[i]!);
  const shift = shiftFor(problem, descending, weights);
  const uneven = (low: number, high: number): number =>
    bots ? 1 - (low + shift * places) / (high + shift * places) : high - low;
  const pairs = new Set(avoid.flatMap(([a, b]) => [`${a}\n${b}`, `${b}\n${a}`]));
  const rules = roleRules(problem);
  const keepsRoles = (members: readonly number[]): boolean =>
    rules.allows(
      Array.from({ length: rules.kinds }, (_, k) => members.filter((i) => rules.kindOf[i] === k).length),
    );
  const bound = avoid.length > 0 || Object.keys(problem.roles ?? {}).length > 0;
  const lone = groups.length === players.length && !bound;
  return {
    problem,
    weights,
    groups,
    order,
    level,
    possible: rules.canBeKept(teamSizes.length),
    shift,
    uneven,
    measure: (teams) => {
      const levels = teams.map((team, t) =>
        level(
          t,
          team.reduce((sum, i) => sum + weights.values[i]!, 0),
        ),
      );
      return {
        teams,
        value: uneven(Math.min(...levels), Math.max(...levels)),
        squares: levels.reduce((sum, value) => sum + (value / teams.length) * value, 0),
      };
    },
    avoids: (i, j) => pairs.has(`${players[i]!.id}\n${players[j]!.id}`),
    keepsRoles,
    bound,
    lone,
    plain: lone && teamSizes.every((size) => size === teamSizes[0]),
  };
}

/** Whether complete teams satisfy parties, avoided pairs, roles and sizes. */
export function keepsAll(arrangement: Arrangement, teams: readonly (readonly number[])[]): boolean {
  const { problem, groups, avoids, keepsRoles } = arrangement;
  return teams.every((team, t) => {
    const members = new Set(team);
    return (
      team.length === problem.teamSizes[t] &&
      groups.every((group) =>
        group.members.every((i) => members.has(i) === members.has(group.members[0]!)),
      ) &&
      team.every((i, at) => team.slice(at + 1).every((j) => !avoids(i, j))) &&
      keepsRoles(team)
    );
  });
}

/** The best arrangements found, distinct as partitions, best first. */
export class BestTeams {
  readonly items: Evened[] = [];
  private readonly seen = new Set<string>();

  constructor(
    private readonly capacity: number,
    private readonly sizes: readonly number[],
  ) {}

  /** The limit for a further one. */
  get threshold(): number {
    return this.items.length < this.capacity ? Infinity : this.items[this.capacity - 1]!.value;
  }

  offer(teams: Evened): void {
    if (teams.value > this.threshold) return;
    const name = nameOf(teams.teams, this.sizes);
    if (this.seen.has(name)) return;
    const { items } = this;
    let at = items.length;
    while (at > 0 && moreEven(items[at - 1]!, teams) > 0) at--;
    items.splice(at, 0, teams);
    this.seen.add(name);
    if (items.length > this.capacity) {
      const last = items.pop()!;
      this.seen.delete(nameOf(last.teams, this.sizes));
    }
  }
}

/** The same for teams of one size in another order. */
function nameOf(teams: readonly (readonly number[])[], sizes: readonly number[]): string {
  return teams
    .map((team, t) => `${sizes[t]!}:${team.toSorted((a, b) => a - b).join(',')}`)
    .toSorted()
    .join(';');
}
