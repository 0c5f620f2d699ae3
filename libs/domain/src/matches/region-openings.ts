import type { RegionOpening, RegionOpenings } from '../schemas/region-openings.js';

/** A match's regions as stored: the order of those that were open when it was formed, and all of them by time. */
export interface StoredRegions {
  /** Empty: any. */
  readonly regions: readonly string[];
  /** Null or absent: a release before stored the order alone. */
  readonly openings?: RegionOpenings | null | undefined;
}

/** Where a match may be played at one time. */
export interface OpenRegions {
  /** Nearest first. */
  readonly regions: readonly string[];
  /** Whether all others are open, too. */
  readonly anywhere: boolean;
  /** Latencies to those of the regions that all measured, in milliseconds; null: only their order is known. */
  readonly latencyMs: ReadonlyMap<string, number> | null;
  /** What opens next, and in how many milliseconds; a region of null: all others. Null: nothing more will open. */
  readonly next: { readonly region: string | null; readonly inMs: number } | null;
}

/** The regions that are open by now. One that has opened stays open. */
export function openRegions({ regions, openings }: StoredRegions, now: number): OpenRegions {
  if (!openings) return { regions, anywhere: regions.length === 0, latencyMs: null, next: null };
  const anywhereAt = openings.anywhereAt ?? Infinity;
  const isOpen = ({ opensAt }: RegionOpening): boolean => opensAt <= now;
  const open = openings.regions.filter(isOpen);
  const [first] = openings.regions
    .filter((each) => !isOpen(each) && each.opensAt < anywhereAt)
    .toSorted((a, b) => a.opensAt - b.opensAt);
  const nextAt = first?.opensAt ?? anywhereAt;
  return {
    regions: open.map(({ region }) => region),
    anywhere: anywhereAt <= now,
    latencyMs: new Map(
      open.flatMap(({ region, latencyMs }) => (latencyMs === null ? [] : [[region, latencyMs]])),
    ),
    next: nextAt > now && nextAt < Infinity ? { region: first?.region ?? null, inMs: nextAt - now } : null,
  };
}
