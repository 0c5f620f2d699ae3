import { seededRandom } from '@muster/domain';

/** Players who arrive as one ticket, in a region. */
export interface Arrival {
  /** The number of its first player; the others follow it. */
  readonly first: number;
  readonly players: number;
  /** An index of `regions`. */
  readonly region: number;
}

export const regions = ['eu', 'us', 'asia'] as const;

/** The share of players who arrive in a party, and the sizes of parties, which are equally frequent. */
const inParties = 0.3;
const partySizes = [2, 3, 4, 5] as const;
const meanParty = partySizes.reduce((sum, size) => sum + size, 0) / partySizes.length;
const partyShare = inParties / meanParty / (1 - inParties + inParties / meanParty);

/** Tickets of single players and of parties in all regions. The same seed makes the same ones. */
export function arrivalsOf(tickets: number, seed: number): Arrival[] {
  const random = seededRandom(seed);
  const arrivals: Arrival[] = [];
  let first = 0;
  for (let n = 0; n < tickets; n++) {
    const isParty = random() < partyShare;
    const players = isParty ? (partySizes[Math.floor(random() * partySizes.length)] ?? 2) : 1;
    arrivals.push({ first, players, region: Math.floor(random() * regions.length) });
    first += players;
  }
  return arrivals;
}

/** The players of all tickets. */
export function playersOf(arrivals: readonly Arrival[]): number {
  return arrivals.reduce((sum, { players }) => sum + players, 0);
}

/** Latencies of a player by region: at first only their own is within the limit of the queue. */
export function latenciesOf(region: number): Record<string, number> {
  return Object.fromEntries(
    regions.map((name, i) => [name, 25 + 100 * ((i - region + regions.length) % regions.length)]),
  );
}
