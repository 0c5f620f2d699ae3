import type { RegionOpening, RegionOpenings } from '@muster/domain';

/** What a ticket allows. */
export interface TicketReach {
  /** Milliseconds since the epoch. */
  readonly enqueuedAt: number;
  /** Latency to a region in milliseconds; infinite where it was not measured. */
  readonly latencyTo: (region: string) => number;
  /** The ticket's own wait after which it accepts a latency; infinite: never. */
  readonly latencyAfter: (latencyMs: number) => number;
}

/** The most regions that are named: as many as a ticket measures. Others open with all the rest. */
const mostNamed = 32;

/**
 * From when each region is open to all tickets of a match.
 *
 * 1. A region opens when the last ticket accepts its latency. For a ticket that did not measure it, that is when the ticket
 * has no limit any more.
 * 2. All other regions open when no ticket has a limit any more.
 * 3. Regions are in the order of their mean latency, then of their names; those that not all measured are last, the
 * first to open first.
 *
 * @param tickets those that have measured any region; all others accept every region at once
 * @param regions the regions that any of them has measured
 */
export function regionOpenings(tickets: readonly TicketReach[], regions: readonly string[]): RegionOpenings {
  const opensAt = (latencyTo: (ticket: TicketReach) => number): number =>
    tickets.reduce((last, each) => Math.max(last, each.enqueuedAt + each.latencyAfter(latencyTo(each))), 0);
  const named = regions
    .map((region): RegionOpening => {
      const mean = tickets.reduce((sum, { latencyTo }) => sum + latencyTo(region), 0) / tickets.length;
      const latencyMs = Number.isFinite(mean) ? mean : null;
      return { region, latencyMs, opensAt: opensAt(({ latencyTo }) => latencyTo(region)) };
    })
    .filter((each) => each.opensAt < Infinity)
    .sort(
      (a, b) =>
        compare(a.latencyMs ?? Infinity, b.latencyMs ?? Infinity) ||
        (a.latencyMs === null ? a.opensAt - b.opensAt : 0) ||
        (a.region < b.region ? -1 : 1),
    );
  const anywhereAt = opensAt(() => Infinity);
  return {
    regions: named.slice(0, mostNamed),
    anywhereAt: anywhereAt < Infinity ? anywhereAt : null,
  };
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
