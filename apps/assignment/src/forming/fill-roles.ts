import { bestAssignment } from './best-assignment.js';

/**
 * Assigns the roles of a team: as many places as possible, each player one. A maximum matching by augmenting paths (Kuhn
 * 1955); players with the fewest roles are placed first, so that those with more keep a choice.
 *
 * @param team in the order in which equals are placed
 * @param demand places by role
 * @param worthOf what a player counts in a role, in rating points: of the assignments of most places, that of the largest
 *   sum is chosen; 0 by default
 * @returns the role of each player who fills a place
 */
export function fillRoles(
  team: readonly TeamMember[],
  demand: Readonly<Record<string, number>>,
  worthOf?: (playerId: string, role: string) => number,
): ReadonlyMap<string, string> {
  const filled = fillMost(team, demand);
  return worthOf && filled.size > 0 ? fillBest(team, demand, worthOf) : filled;
}

interface TeamMember {
  readonly playerId: string;
  readonly canPlay: readonly string[];
}

/** A place that is filled counts more than all that roles can be worth. */
const filledWorth = 1e9;

/** The places are rows, or the players where they are fewer; who cannot play a role counts nothing there. */
function fillBest(
  team: readonly TeamMember[],
  demand: Readonly<Record<string, number>>,
  worthOf: (playerId: string, role: string) => number,
): ReadonlyMap<string, string> {
  const places = placesOf(demand);
  const valueOf = ({ playerId, canPlay }: TeamMember, role: string): number =>
    canPlay.includes(role) ? filledWorth + Math.max(-1e6, Math.min(1e6, worthOf(playerId, role))) : 0;
  const byPlace = places.length <= team.length;
  const values = byPlace
    ? places.map((role) => team.map((player) => valueOf(player, role)))
    : team.map((player) => places.map((role) => valueOf(player, role)));
  const chosen = bestAssignment(values).map((column, row) => (byPlace ? [row, column] : [column, row]));
  return new Map(
    chosen.flatMap(([place = 0, player = 0]) => {
      const [role, member] = [places[place], team[player]];
      return role !== undefined && member?.canPlay.includes(role) ? [[member.playerId, role] as const] : [];
    }),
  );
}

function placesOf(demand: Readonly<Record<string, number>>): string[] {
  return Object.entries(demand).flatMap(([role, count]) => Array.from({ length: count }, () => role));
}

function fillMost(
  team: readonly TeamMember[],
  demand: Readonly<Record<string, number>>,
): ReadonlyMap<string, string> {
  const places = placesOf(demand);
  const filledBy = new Map<number, string>();
  const byId = new Map(team.map((player) => [player.playerId, player.canPlay]));
  const place = (playerId: string, tried: Set<number>): boolean => {
    const canPlay = byId.get(playerId) ?? [];
    for (const [i, role] of places.entries()) {
      if (tried.has(i) || !canPlay.includes(role)) continue;
      tried.add(i);
      const holder = filledBy.get(i);
      if (holder !== undefined && !place(holder, tried)) continue;
      filledBy.set(i, playerId);
      return true;
    }
    return false;
  };
  for (const { playerId } of team.toSorted((a, b) => a.canPlay.length - b.canPlay.length))
    place(playerId, new Set());
  return new Map([...filledBy].map(([i, playerId]) => [playerId, places[i] ?? '']));
}
