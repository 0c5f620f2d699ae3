import { asTeams, heaviestFirst, indexOfLeast, total, type BaselineTeams, type PartyPlayer } from './sums.js';
import type { BaselineWork } from './steps.js';

export interface GreedyRules {
  /** The size of each team. Without it two teams of any size, as proposed. */
  readonly teamSizes?: readonly number[];
  /** Multiplies a party's weight while teams are chosen. Default 1. */
  readonly partyBonus?: (size: number) => number;
}

export interface GreedyTeams extends BaselineTeams, BaselineWork {}

/** The bonus of the proposal: playing together is worth 15 % for two, 20 % for three, 25 % for four and more. */
export function communityPartyBonus(size: number): number {
  if (size < 2) return 1;
  if (size === 2) return 1.15;
  return size === 3 ? 1.2 : 1.25;
}

/**
 * The greedy assignment that players of Sector's Edge proposed: parties first, then all others, always the heaviest
 * remaining one to the lighter team, here with room for it.
 *
 * Limitations: placements are never revised, so the last players have to compensate for the first ones; and a party may
 * find no room although another order would have left some: the answer is then null.
 *
 * It has no limit: it takes one operation per party and player.
 */
export function greedy(players: readonly PartyPlayer[], rules: GreedyRules = {}): GreedyTeams | null {
  const { teamSizes = [Infinity, Infinity], partyBonus = () => 1 } = rules;
  const teams: PartyPlayer[][] = teamSizes.map(() => []);
  const felt = teamSizes.map(() => 0);
  let operations = 0;

  for (const { members, weight } of inOrder(players, partyBonus)) {
    operations++;
    const open = teamSizes.map((size, t) =>
      (teams[t]?.length ?? 0) + members.length <= size ? (felt[t] ?? 0) : Infinity,
    );
    const to = indexOfLeast(open);
    if (open[to] === Infinity || open.length === 0) return null;
    teams[to]?.push(...members);
    felt[to] = (felt[to] ?? 0) + weight;
  }
  return { ...asTeams(teams), operations, finished: true };
}

interface Group {
  readonly members: readonly PartyPlayer[];
  readonly weight: number;
}

/** Parties of two and more, heaviest first, then all others, heaviest first. */
function inOrder(players: readonly PartyPlayer[], partyBonus: (size: number) => number): Group[] {
  const parties = new Map<string, PartyPlayer[]>();
  const singles: PartyPlayer[] = [];
  for (const player of heaviestFirst(players)) {
    if (player.party === undefined) singles.push(player);
    else parties.set(player.party, [...(parties.get(player.party) ?? []), player]);
  }
  const groups = [...parties.values()].map((members) => ({
    members,
    weight: total(members) * partyBonus(members.length),
  }));
  const alone = groups.filter(({ members }) => members.length < 2).flatMap(({ members }) => members);
  return [
    ...groups.filter(({ members }) => members.length >= 2).toSorted((a, b) => b.weight - a.weight),
    ...heaviestFirst([...singles, ...alone]).map((player) => ({ members: [player], weight: player.weight })),
  ];
}
