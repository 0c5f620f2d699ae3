import { grouped, message, own, Unsolvable, seededRandom, type Message } from '@muster/domain';
import { halfOf, nearest, type Half, type Item } from '../moves/halves.js';
import type { Policy } from '../policy.js';
import {
  byTeam,
  checkRoster,
  compareText,
  isPlaying,
  playing,
  sumsOf,
  type Move,
  type Roster,
  type RosterPlayer,
} from '../roster/roster.js';
import { leadBy, mostApart, seated, worthBy, type Worth } from '../worth.js';

/** A side, or the one that makes the teams even. */
export type Wish = 0 | 1 | 'random';

/** How long players may wish, in milliseconds. */
export const pickMs = 30_000;

/** Wishes while they are collected; plain JSON. */
export interface SidePick {
  /** Milliseconds since the epoch. */
  readonly opensAt: number;
  readonly closesAt: number;
  readonly wishes: Readonly<Record<string, Wish>>;
  /** The winners of the previous match. */
  readonly winners: readonly string[];
}

export interface SidePlayer extends Pick<RosterPlayer, 'playerId' | 'rating' | 'partyId'> {
  /** Won the match before. */
  readonly won?: boolean;
}

export interface Sides {
  readonly teams: readonly [readonly string[], readonly string[]];
  /** Difference of the sums, in ratings. */
  readonly difference: number;
  /** Players who named a side and got the other. */
  readonly denied: readonly string[];
  /** Last winners on each team. */
  readonly winners: readonly [number, number];
  /** Whether the difference is within the tolerance. */
  readonly withinTolerance: boolean;
  readonly why: readonly Message[];
}

/** Most parties and single players that can be split exactly. */
const mostGroups = 30;

interface Group {
  readonly members: readonly SidePlayer[];
  readonly rating: number;
  readonly winners: number;
  /** Wishes that are denied on the first team, and on the second. */
  readonly denies: readonly [number, number];
}

/** Whatever is the same on whichever sides the players are: other players who stay, and the lead that players bring. */
interface There {
  /** How many more of those who stay the first side has. */
  readonly more: number;
  /** Their worth on the first side, less that on the second, and the lead of the first one by its players' skill there. */
  readonly ahead: number;
}

/** Counts packed into one additive number. */
const place = 128;
const keyOf = (size: number, winners: number, denied: number): number =>
  size + place * winners + place * place * denied;

/**
 * Sides at the end of a side pick (L16): teams equal in size up to one, parties together; the last winners divided evenly,
 * with priority over wishes; the sums within the tolerance, or, where that cannot be, as even as possible; and of all such
 * teams those that deny the fewest wishes, of these the most even. Exact, by meet-in-the-middle.
 *
 * Source: a comment under the description of Natural Selection 2's skill system.
 *
 * @param tolerance allowed difference of the sums for the sake of wishes, in ratings; at least 0
 * @param seed breaks ties between equal players
 * @param there what the players' sides do not change: the first side's surplus (`more`), and its lead in worth (`ahead`)
 * @throws Unsolvable when there are fewer than two players or more than 30 groups, a number is invalid, or no whole parties
 *   make two such teams
 */
export function pickSides(
  players: readonly SidePlayer[],
  wishes: SidePick['wishes'],
  {
    tolerance,
    seed,
    there = { more: 0, ahead: 0 },
  }: {
    readonly tolerance: number;
    readonly seed: number;
    readonly there?: There;
  },
): Sides {
  if (players.length < 2) throw new Unsolvable('Two sides need two players at least.', {});
  if (!(tolerance >= 0)) throw new Unsolvable(`tolerance is ${tolerance}; give a number of at least 0.`, {});
  if (players.some(({ rating }) => !Number.isFinite(rating)))
    throw new Unsolvable('Every rating has to be a finite number.', {});
  const groups = shuffled(groupsOf(players, wishes), seed);
  if (groups.length > mostGroups)
    throw new Unsolvable(
      `${groups.length} parties and single players are too many; at most ${mostGroups}.`,
      {},
    );
  const items = groups.map(({ members, rating, winners, denies }): Item => ({
    taken: { key: keyOf(members.length, winners, denies[0]), sum: rating },
    left: { key: keyOf(0, 0, denies[1]), sum: -rating },
  }));
  const middle = Math.ceil(items.length / 2);
  const found = search(halfOf(items.slice(0, middle))!, halfOf(items.slice(middle))!, players, {
    tolerance,
    there,
  });
  if (!found)
    throw new Unsolvable('The parties do not fit two sides of one size; let the largest play apart.', {});
  const onFirst = new Set(
    groups.flatMap(({ members }, i) => (found.taken[i] ? members.map(({ playerId }) => playerId) : [])),
  );
  const teamOf = (playerId: string): 0 | 1 => (onFirst.has(playerId) ? 0 : 1);
  const on = (team: 0 | 1): SidePlayer[] => players.filter(({ playerId }) => teamOf(playerId) === team);
  const named = players.filter(({ playerId }) => (own(wishes, playerId) ?? 'random') !== 'random');
  const denied = named.filter(({ playerId }) => own(wishes, playerId) !== teamOf(playerId));
  return {
    teams: [on(0).map(({ playerId }) => playerId), on(1).map(({ playerId }) => playerId)],
    difference: found.distance,
    denied: denied.map(({ playerId }) => playerId),
    winners: [winnersOf(on(0)), winnersOf(on(1))],
    withinTolerance: found.distance <= tolerance,
    why: [message('sides.chosen', { met: named.length - denied.length, wishes: named.length })],
  };
}

/** Sides for a roster, and the moves to them. */
export interface SidesOfRoster extends Sides {
  readonly moves: readonly Move[];
}

/**
 * `pickSides` for all on a server who play or are on no team yet; spectators and bots stay in place. Players and bots count
 * by the measure of the policy's rules, which also limit the difference for the sake of wishes: no check reverses these
 * sides.
 *
 * @throws Unsolvable as `pickSides`, and when the roster is invalid or does not have two teams
 */
export function sidesOf(
  roster: Roster,
  {
    wishes,
    winners,
    policy,
    seed,
  }: {
    readonly wishes: SidePick['wishes'];
    /** The winners of the previous match. */
    readonly winners: readonly string[];
    readonly policy: Pick<Policy, 'rules' | 'placement' | 'sides'>;
    readonly seed: number;
  },
): SidesOfRoster {
  checkRoster(roster);
  if (roster.teams !== 2)
    throw new Unsolvable(`Sides are chosen for two teams; the roster has ${roster.teams}.`, {
      teams: roster.teams,
    });
  const everybody = seated(roster);
  const worth = worthBy(everybody, policy);
  const players = roster.players.filter(({ bot, spectator }) => !bot && !spectator);
  const { there, total } = standing(everybody, worth);
  const won = new Set(winners);
  const sides = pickSides(
    players.map((player) => ({
      playerId: player.playerId,
      rating: worth(player),
      won: won.has(player.playerId),
      ...(player.partyId === undefined ? {} : { partyId: player.partyId }),
    })),
    wishes,
    {
      tolerance: Math.min((policy.sides.toleranceShare * total) / 2, mostApart(policy, total)),
      seed,
      there,
    },
  );
  const before = new Map(players.map((player) => [player.playerId, isPlaying(player) ? player.team : null]));
  const moves = sides.teams.flatMap((team, to) =>
    team.flatMap((playerId): Move[] => {
      const from = before.get(playerId) ?? null;
      return from === to ? [] : [{ playerId, from, to }];
    }),
  );
  const sideOf = new Map(sides.teams.flatMap((team, to) => team.map((playerId) => [playerId, to] as const)));
  const [a = 0, b = 0] = sumsOf({
    ...roster,
    players: roster.players.map((player) => ({
      ...player,
      team: sideOf.get(player.playerId) ?? player.team,
    })),
  });
  return { ...sides, difference: Math.abs(a - b), moves };
}

/** What the players' sides do not change, and the least that both teams together count, wherever the players are. */
function standing(everybody: Roster, worth: Worth): { readonly there: There; readonly total: number } {
  const all = playing(everybody);
  const humans = all.filter(({ bot }) => !bot).reduce((sum, player) => sum + worth(player), 0);
  const [here = 0, there = 0] = byTeam(everybody, (player) => (player.bot ? worth(player) : 0));
  const [firstBots = 0, secondBots = 0] = byTeam(everybody, ({ bot }) => (bot ? 1 : 0));
  const leads = all.map((player) => leadBy(player, worth));
  return {
    there: {
      more: firstBots - secondBots,
      ahead: here - there + leads.reduce((sum, lead) => sum + lead, 0),
    },
    total: humans + here + there - leads.reduce((sum, lead) => sum + Math.abs(lead), 0),
  };
}

const winnersOf = (players: readonly SidePlayer[]): number => players.filter(({ won }) => won).length;

function groupsOf(players: readonly SidePlayer[], wishes: SidePick['wishes']): Group[] {
  const groups = grouped(
    players.toSorted((a, b) => compareText(a.playerId, b.playerId)),
    ({ playerId, partyId }) => (partyId === undefined ? `alone:${playerId}` : `party:${partyId}`),
  );
  const wanting = (members: readonly SidePlayer[], side: 0 | 1): number =>
    members.filter(({ playerId }) => own(wishes, playerId) === side).length;
  return [...groups.values()].map((members) => ({
    members,
    rating: members.reduce((sum, { rating }) => sum + rating, 0),
    winners: winnersOf(members),
    denies: [wanting(members, 1), wanting(members, 0)],
  }));
}

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const random = seededRandom(seed);
  const order = [...list];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

interface FoundSides {
  readonly distance: number;
  readonly taken: readonly boolean[];
}

function search(
  first: Half,
  second: Half,
  players: readonly SidePlayer[],
  { tolerance, there }: { readonly tolerance: number; readonly there: There },
): FoundSides | null {
  const winners = winnersOf(players);
  // Where parties hold winners together, an even division may be out of reach; the least uneven one comes next.
  for (let uneven = winners % 2; uneven <= winners; uneven += 2) {
    let closest: FoundSides | null = null;
    for (let denied = 0; denied <= players.length; denied++) {
      const best = bestOf(first, second, players.length, { winners, uneven, denied, there });
      if (best && best.distance <= tolerance) return best;
      if (best && (!closest || best.distance < closest.distance)) closest = best;
    }
    if (closest) return closest;
  }
  return null;
}

function bestOf(
  first: Half,
  second: Half,
  players: number,
  {
    winners,
    uneven,
    denied,
    there,
  }: {
    readonly winners: number;
    readonly uneven: number;
    readonly denied: number;
    readonly there: There;
  },
): FoundSides | null {
  let best: FoundSides | null = null;
  const even = Math.min(Math.max(0, (players - there.more) / 2), players);
  for (const size of new Set([Math.floor(even), Math.ceil(even)])) {
    for (const here of new Set([(winners - uneven) / 2, (winners + uneven) / 2])) {
      const met = nearest(first, second, keyOf(size, here, denied), -there.ahead);
      if (met && (!best || met.distance < best.distance)) best = met;
    }
  }
  return best;
}
