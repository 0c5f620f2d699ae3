import { seededRandom, type QueueRules, type Random, type Ticket } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';

/** The waiting tickets of one case of the benchmark. */
export interface Case {
  readonly name: string;
  readonly about: string;
  readonly rules: QueueRules;
  ticket(number: number, random: Random, now: number): Ticket;
}

const regions = ['asia', 'eu', 'us'];
/** Parties by size, out of 20 tickets. */
const partySizes = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5];

const rules: QueueRules = defaultQueues[0]!;
const waitedMs = 60_000;

export const cases: readonly Case[] = [
  {
    name: 'typical',
    about: 'ratings normal about 25 ± 8.3, everybody alone, waits of up to a minute',
    rules,
    ticket: (number, random, now) => aTicket(number, now - waitedMs * random(), [25 + 8.3 * normal(random)]),
  },
  {
    name: 'nobody matches',
    about: 'everybody 25 points from the next, and a window that ends at 20',
    rules: {
      ...rules,
      skillWindow: [
        { afterSeconds: 0, limit: 4 },
        { afterSeconds: 45, limit: 20 },
      ],
    },
    ticket: (number, random, now) => aTicket(number, now - waitedMs * random(), [25 * number]),
  },
  {
    name: 'all the same',
    about: 'everybody at 25',
    rules,
    ticket: (number, random, now) => aTicket(number, now - waitedMs * random(), [25]),
  },
  {
    name: 'parties, three regions',
    about: 'two fifths in parties of two to five; one region near, two at 80 to 200 ms',
    rules,
    ticket: (number, random, now) => {
      const size = partySizes[Math.floor(random() * partySizes.length)]!;
      const mean = 25 + 8.3 * normal(random);
      const home = Math.floor(random() * regions.length);
      const latency = regions.map((region, r) => [
        region,
        r === home ? 20 + 30 * random() : 80 + 120 * random(),
      ]);
      return aTicket(
        number,
        now - waitedMs * random(),
        Array.from({ length: size }, () => mean + 2 * normal(random)),
        Object.fromEntries(latency) as Record<string, number>,
      );
    },
  },
];

/** The tickets of a pool, the same for every matcher. @param from the number of the first */
export function poolOf({ ticket }: Case, waiting: number, seed: number, now: number, from = 0): Ticket[] {
  const random = seededRandom(seed);
  return Array.from({ length: waiting }, (_, i) => ticket(from + i, random, now));
}

function aTicket(
  number: number,
  enqueuedAt: number,
  mus: readonly number[],
  latencyMs: Readonly<Record<string, number>> = {},
): Ticket {
  // Ids as long as real ones, and text as it is read from a store: concatenated strings use twice the memory.
  return JSON.parse(
    JSON.stringify({
      ticketId: `tkt_${String(number).padStart(22, '0')}`,
      queue: rules.name,
      build: 'b1',
      players: mus.map((mu, p) => ({ playerId: `player-${number}-${p}`, mu, sigma: 4 })),
      latencyMs,
      enqueuedAt,
      expiresAt: enqueuedAt + 600_000,
      fingerprint: '',
    }),
  ) as Ticket;
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
