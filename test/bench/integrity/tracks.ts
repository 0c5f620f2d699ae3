/** How a statistic about one subject rose: each new maximum, and after how many matches. */
export type Track = readonly { readonly after: number; readonly score: number }[];

/** The maxima of statistics about subjects. */
export class Tracks {
  private readonly bySubject = new Map<string, { after: number; score: number }[]>();
  private readonly counts = new Map<string, number>();

  /** Notes a value. @param after matches of the subject so far */
  note(subject: string, after: number, score: number): void {
    this.counts.set(subject, after);
    const track = this.bySubject.get(subject);
    if (!track) this.bySubject.set(subject, [{ after, score }]);
    else if (score > (track.at(-1)?.score ?? -Infinity)) track.push({ after, score });
  }

  /** Matches of a subject. */
  matchesOf(subject: string): number {
    return this.counts.get(subject) ?? 0;
  }

  subjects(): [string, Track][] {
    return [...this.bySubject];
  }
}

/** Tracks of one statistic, of those who cheat and of those who do not, over several histories. */
export interface Sides {
  readonly honest: Track[];
  readonly cheats: Track[];
}

/** What a statistic found. */
export interface Found {
  /** The score above which it speaks. */
  readonly threshold: number;
  readonly falseAlarms: number;
  readonly found: number;
  /** Median matches until it spoke, of those whom it found; null: it found nobody. */
  readonly after: number | null;
}

/** The score above which at most a share of the honest ever gets. */
export function thresholdFor(honest: readonly Track[], share: number): number {
  const maxima = honest.map(maximumOf).toSorted((a, b) => b - a);
  return maxima[Math.floor(share * maxima.length)] ?? Infinity;
}

/** What a statistic finds when it speaks above a score. */
export function foundAbove({ honest, cheats }: Sides, threshold: number): Found {
  const alarms = honest.filter((track) => maximumOf(track) > threshold).length;
  const found = cheats.flatMap((track) => track.find(({ score }) => score > threshold)?.after ?? []);
  return {
    threshold,
    falseAlarms: alarms / Math.max(1, honest.length),
    found: found.length / Math.max(1, cheats.length),
    after: median(found),
  };
}

function maximumOf(track: Track): number {
  return track.at(-1)?.score ?? -Infinity;
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
