import { own } from '@muster/domain';
/** Measured latency by region in milliseconds. */
type Latencies = Readonly<Record<string, number>>;

/**
 * The latencies of a ticket: for each region the worst of its players. A region that a player has not measured is excluded,
 * since its latency is unknown; a player who measured none accepts any region.
 *
 * @returns null when they have measured no region in common; empty when nobody has measured any
 */
export function worstLatencies(players: readonly Latencies[]): Latencies | null {
  const measured = players.filter((latencies) => Object.keys(latencies).length > 0);
  const [first, ...others] = measured;
  if (!first) return {};
  const shared = Object.keys(first).filter((region) => others.every((each) => Object.hasOwn(each, region)));
  if (shared.length === 0) return null;
  return Object.fromEntries(
    shared.map((region) => [region, Math.max(...measured.map((each) => own(each, region) ?? 0))]),
  );
}
