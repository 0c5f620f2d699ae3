import { message, type Message } from '@muster/domain';
import { split, splits, type BenchPolicy, type SplitOptions } from '@muster/solver';
import { compareText } from './roster.js';

/** A player who may be scrambled. */
export interface ScramblePlayer {
  readonly playerId: string;
  readonly rating: number;
  /** See `RosterPlayer.lead`. */
  readonly lead?: number;
  readonly partyId?: string;
  /** How long they have sat out, in any unit. Without it, those named first have waited longest. */
  readonly waited?: number;
}

/** Two teams of one size. */
export interface CachedSplit {
  /** Players per team. */
  readonly size: number;
  readonly teams: readonly [readonly string[], readonly string[]];
  /** The waiting players. */
  readonly bench: readonly string[];
  /** Difference of the sums, in ratings. */
  readonly difference: number;
}

/** Splits computed ahead, so that a scramble needs no request; plain JSON. */
export interface SplitCache {
  /** When the pool was read, milliseconds since the epoch. */
  readonly madeAt: number;
  /** The players of the pool. */
  readonly pool: readonly ScramblePlayer[];
  /** For sizes from 2 on, ascending, the best of each; a size that parties do not allow is missing. */
  readonly splits: readonly CachedSplit[];
}

/**
 * Splits for every size from 2 to half the pool (L13). Where parties play, they stay together; then the player who waited
 * least sits out, parties last, and a size is missing where no choice of whole parties makes it. Teams are made without their
 * sides, because who sits out decides about the lead; then each gets the side on which both are more even.
 *
 * Source: SynElo, the split cache; solved exactly, each size independently.
 *
 * @param now milliseconds since the epoch
 * @param deadline when the best result so far is accepted, for pools without parties; without it large ones take seconds
 */
export function makeCache(
  pool: readonly ScramblePlayer[],
  bench: BenchPolicy,
  now: number,
  deadline?: SplitOptions['deadline'],
): SplitCache {
  const inParty = partiesOf(pool);
  const made = inParty.size > 0 ? withParties(pool, inParty) : alone(pool, bench, deadline);
  return { madeAt: now, pool, splits: onSides(made, new Map(pool.map((each) => [each.playerId, each]))) };
}

/** The difference of two teams, the first one's sum less the second's, with the lead of their players. */
function signedDifference(
  [first, second]: CachedSplit['teams'],
  players: ReadonlyMap<string, ScramblePlayer>,
): number {
  const counts = (id: string, side: 1 | -1): number => {
    const { rating = 0, lead = 0 } = players.get(id) ?? {};
    return rating + side * lead;
  };
  const sum = (ids: readonly string[], side: 1 | -1): number =>
    ids.reduce((total, id) => total + counts(id, side), 0);
  return sum(first, 1) - sum(second, -1);
}

/** The splits with teams on the sides on which they are more even. */
function onSides(
  made: readonly CachedSplit[],
  players: ReadonlyMap<string, ScramblePlayer>,
): readonly CachedSplit[] {
  if ([...players.values()].every(({ lead = 0 }) => lead === 0)) return made;
  return made.map((cached) => {
    const [first, second] = cached.teams;
    const orders = [[first, second] as const, [second, first] as const].map((teams) => ({
      teams,
      difference: Math.abs(signedDifference(teams, players)),
    }));
    const [kept, turned] = orders as [(typeof orders)[0], (typeof orders)[0]];
    return { ...cached, ...(turned.difference < kept.difference ? turned : kept) };
  });
}

function alone(
  pool: readonly ScramblePlayer[],
  bench: BenchPolicy,
  deadline: SplitOptions['deadline'],
): CachedSplit[] {
  const players = pool.map(({ playerId, rating, waited }) => ({
    id: playerId,
    weight: rating,
    ...(waited === undefined ? {} : { waited }),
  }));
  const answer = splits({ players, bench }, deadline ? { deadline } : {});
  if (answer.outcome === 'refused') return [];
  return answer.splits.map(({ size, teams, bench: waiting, difference }) => ({
    size,
    teams,
    bench: waiting,
    difference,
  }));
}

/** Parties of two and more, by id of the party. */
function partiesOf(pool: readonly ScramblePlayer[]): Map<string, string[]> {
  const parties = new Map<string, string[]>();
  for (const { playerId, partyId } of pool) {
    if (partyId !== undefined) parties.set(partyId, [...(parties.get(partyId) ?? []), playerId]);
  }
  for (const [partyId, members] of parties) if (members.length < 2) parties.delete(partyId);
  return parties;
}

function withParties(
  pool: readonly ScramblePlayer[],
  parties: ReadonlyMap<string, readonly string[]>,
): CachedSplit[] {
  const made: CachedSplit[] = [];
  for (let size = 2; size <= pool.length / 2; size++) {
    const bench = benchFor(pool, parties, pool.length - 2 * size);
    if (!bench) continue;
    const lineup = pool.filter(({ playerId }) => !bench.has(playerId));
    const answer = split({
      players: lineup.map(({ playerId, rating, partyId }) => ({
        id: playerId,
        weight: rating,
        ...(partyId !== undefined && parties.has(partyId) ? { party: partyId } : {}),
      })),
      teamSizes: [size, size],
    });
    if (answer.outcome === 'refused') continue;
    const { teams, difference } = answer.solutions[0]!;
    made.push({ size, teams: [teams[0]!, teams[1]!], bench: [...bench], difference });
  }
  return made;
}

/**
 * Chooses this many players, whole parties, to sit out: single players before parties, less waited before more. @returns
 * null where no choice fits
 */
function benchFor(
  pool: readonly ScramblePlayer[],
  parties: ReadonlyMap<string, readonly string[]>,
  seats: number,
): Set<string> | null {
  const waited = new Map(pool.map((player, i) => [player.playerId, { waited: player.waited ?? 0, i }]));
  const least = (members: readonly string[]): number =>
    Math.max(...members.map((id) => waited.get(id)!.waited));
  const groups = [
    ...pool
      .filter(({ partyId }) => partyId === undefined || !parties.has(partyId))
      .map(({ playerId }) => [playerId]),
    ...parties.values(),
  ].toSorted(
    (a, b) =>
      Number(a.length > 1) - Number(b.length > 1) ||
      least(a) - least(b) ||
      waited.get(b[0]!)!.i - waited.get(a[0]!)!.i,
  );
  // For every number of seats, the first choice of groups, in this order, that fills them.
  let ways: (readonly number[] | null)[] = [[], ...Array.from({ length: seats }, () => null)];
  groups.forEach((group, g) => {
    ways = ways.map((way, filled) => {
      const before = filled >= group.length ? ways[filled - group.length] : null;
      return way ?? (before ? [...before, g] : null);
    });
  });
  const chosen = ways[seats];
  return chosen ? new Set(chosen.flatMap((g) => groups[g]!)) : null;
}

/** The teams of a scramble. */
export interface Scramble {
  readonly teams: readonly [readonly string[], readonly string[]];
  /** The waiting players: all present who are on neither team. */
  readonly waiting: readonly string[];
  /** Difference of the sums, in present ratings. */
  readonly difference: number;
  /** Players who replace one that has left since; 0: the split is unchanged. */
  readonly standIns: number;
  /** Milliseconds since the splits were made. */
  readonly ageMs: number;
  readonly why: readonly Message[];
}

/**
 * The largest split that fits the present players (L13), and the waiting ones. A player who has left since is replaced by
 * the waiting player nearest in rating (never by part of a party, unless all of it would play together); where that is
 * impossible, a smaller split is taken. An old cache still gives usable teams.
 *
 * @param now milliseconds since the epoch
 * @returns null when no split fits: the scramble waits
 */
export function takeFromCache(
  cache: SplitCache | null,
  present: readonly ScramblePlayer[],
  now: number,
): Scramble | null {
  if (!cache) return null;
  const here = new Map(present.map((player) => [player.playerId, player]));
  const known = new Map(cache.pool.map((player) => [player.playerId, player]));
  for (const cached of cache.splits.toReversed()) {
    if (2 * cached.size > present.length) continue;
    const teams = mend(cached, present, here, known);
    if (!teams || partsParty(teams, here)) continue;
    const inTeam = new Set(teams.flat());
    const waiting = present.flatMap(({ playerId }) => (inTeam.has(playerId) ? [] : [playerId]));
    const planned = new Set(cached.teams.flat());
    const standIns = teams.flat().filter((id) => !planned.has(id)).length;
    return {
      teams,
      waiting,
      difference: Math.abs(signedDifference(teams, here)),
      standIns,
      ageMs: Math.max(0, now - cache.madeAt),
      why: [message('scramble.mixed', { size: cached.size, waiting: waiting.length })],
    };
  }
  return null;
}

function mend(
  { teams }: CachedSplit,
  present: readonly ScramblePlayer[],
  here: ReadonlyMap<string, ScramblePlayer>,
  known: ReadonlyMap<string, ScramblePlayer>,
): [string[], string[]] | null {
  const planned = new Set(teams.flat());
  const parties = partiesOf(present);
  const spare = present.filter(
    ({ playerId, partyId }) => !planned.has(playerId) && (partyId === undefined || !parties.has(partyId)),
  );
  const [first, second] = teams.map((team) =>
    team.map((id) => {
      if (here.has(id)) return id;
      const rating = known.get(id)?.rating ?? 0;
      const distance = (player: ScramblePlayer): number => Math.abs(player.rating - rating);
      spare.sort((a, b) => distance(a) - distance(b) || compareText(a.playerId, b.playerId));
      return spare.shift()?.playerId ?? null;
    }),
  ) as [(string | null)[], (string | null)[]];
  const isWhole = (team: (string | null)[]): team is string[] => !team.includes(null);
  return isWhole(first) && isWhole(second) ? [first, second] : null;
}

/** Whether a party would play on two teams; waiting members are no reason to take a smaller split. */
function partsParty(
  teams: readonly [readonly string[], readonly string[]],
  here: ReadonlyMap<string, ScramblePlayer>,
): boolean {
  const sideOf = new Map<string, number>();
  return teams.some((team, side) =>
    team.some((id) => {
      const partyId = here.get(id)?.partyId;
      if (partyId === undefined) return false;
      const other = sideOf.get(partyId);
      sideOf.set(partyId, side);
      return other !== undefined && other !== side;
    }),
  );
}
