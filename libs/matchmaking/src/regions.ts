import type { QueueRules, Ticket } from '@muster/domain';
import { limitAfter } from './curve.js';

/**
 * The regions in which every ticket's latency is within its limit (which widens as it waits), least total first.
 *
 * @returns an empty list when no ticket names a region (any will do), null when they share none
 */
export function commonRegions(tickets: readonly Ticket[], rules: QueueRules, now: number): string[] | null {
  const choosy = tickets.filter((ticket) => Object.keys(ticket.latencyMs).length > 0);
  const [first, ...others] = choosy;
  if (!first) return [];
  let totals = acceptable(first, rules, now);
  for (const ticket of others) {
    const mine = acceptable(ticket, rules, now);
    totals = new Map(
      [...totals].flatMap(([region, total]) => {
        const latency = mine.get(region);
        return latency === undefined ? [] : [[region, total + latency] as const];
      }),
    );
    if (totals.size === 0) return null;
  }
  if (totals.size === 0) return null;
  return [...totals].toSorted(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([region]) => region);
}

function acceptable(ticket: Ticket, rules: QueueRules, now: number): Map<string, number> {
  const limit = limitAfter(rules.latencyLimitMs, now - ticket.enqueuedAt);
  return new Map(Object.entries(ticket.latencyMs).filter(([, latency]) => latency <= limit));
}
