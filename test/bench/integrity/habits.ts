import type { Habits, Random } from '@muster/domain';

/** Kinds of habits in simulated leagues: how many codes there are, and how skewed their use is (the exponent of Zipf's law). */
const populations = {
  device: { codes: 3_000, skew: 1 },
  network: { codes: 20_000, skew: 0.7 },
  settings: { codes: 1_000, skew: 1 },
  client: { codes: 200, skew: 1.2 },
} as const;

/** The chance that a person keeps a habit under another account. */
const kept = 0.8;

/** Draws the habits of people. */
export class HabitDraws {
  private readonly shares = Object.entries(populations).map(
    ([kind, { codes, skew }]) => [kind, cumulated(codes, skew)] as const,
  );

  constructor(private readonly random: Random) {}

  /** Those of a person. */
  own(): Habits {
    return Object.fromEntries(this.shares.map(([kind, shares]) => [kind, this.code(kind, shares)]));
  }

  /** Those of a person who has another account with these. */
  again(before: Habits): Habits {
    return { ...before, ...this.some(() => this.random() >= kept) };
  }

  /** Those of a person who shares a home with somebody who has these. */
  sibling(of: Habits): Habits {
    return { ...of, ...this.some((kind) => kind !== 'device' && kind !== 'network') };
  }

  private some(isDrawn: (kind: string) => boolean): Habits {
    return Object.fromEntries(
      this.shares.flatMap(([kind, shares]) => (isDrawn(kind) ? [[kind, this.code(kind, shares)]] : [])),
    );
  }

  private code(kind: string, shares: readonly number[]): string {
    const at = this.random();
    let [low, high] = [0, shares.length - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((shares[middle] ?? 1) > at) high = middle;
      else low = middle + 1;
    }
    return `${kind}-${low}`;
  }
}

/** The share of codes up to each, the most common first. */
function cumulated(codes: number, skew: number): number[] {
  const weights = Array.from({ length: codes }, (_, i) => (i + 1) ** -skew);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return weights.map((weight) => (sum += weight / total));
}
