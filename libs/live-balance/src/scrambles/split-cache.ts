import { split, splits, type BenchPolicy, type SplitOptions } from '@muster/solver';
import { partiesOf, type RosterPlayer } from '../roster/roster.js';

/** A player who may be scrambled. */
export interface ScramblePlayer extends Pick<RosterPlayer, 'playerId' | 'rating' | 'lead' | 'partyId'> {
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

function withParties(
  pool: readonly ScramblePlayer[],
  parties: ReadonlyMap<string, readonly ScramblePlayer[]>,
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
  parties: ReadonlyMap<string, readonly ScramblePlayer[]>,
  seats: number,
): Set<string> | null {
  const waited = new Map(pool.map((player, i) => [player.playerId, { waited: player.waited ?? 0, i }]));
  const least = (members: readonly string[]): number =>
    Math.max(...members.map((id) => waited.get(id)!.waited));
  const groups = [
    ...pool
      .filter(({ partyId }) => partyId === undefined || !parties.has(partyId))
      .map(({ playerId }) => [playerId]),
    ...[...parties.values()].map((members) => members.map(({ playerId }) => playerId)),
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
