import type { MatchProposal, Tick } from '@muster/matchmaking';
import { Gathering, ListMatcher, type Waiting } from './waiting-list.js';

/**
 * A sliding window over the tickets in order of skill, the best first: from each ticket upwards, it collects the next in
 * skill that fit; every full set whose spread is within the window of one of its tickets is a candidate; it takes the
 * candidates with the least spread, as long as they are disjoint. It repeats with the remaining tickets until none is
 * found.
 */
export class SlidingWindow extends ListMatcher {
  tick(now: number): Tick {
    const { bySkill } = this.list.at(now);
    const widest = bySkill.reduce((most, { window }) => Math.max(most, window), 0);
    const proposals: MatchProposal[] = [];
    let left: readonly Waiting[] = bySkill;
    let steps = 0;
    for (;;) {
      const found: Gathering[] = [];
      for (let from = 0; from < left.length; from++) steps += this.slide(left, from, widest, found);
      found.sort((a, b) => a.high - a.low - (b.high - b.low));
      const taken = new Set<Waiting>();
      for (const { set } of found) {
        if (set.some((waiting) => taken.has(waiting))) continue;
        for (const waiting of set) taken.add(waiting);
        proposals.push(this.list.proposal(set, now, this.options.judge));
      }
      if (taken.size === 0) break;
      left = left.filter((waiting) => !taken.has(waiting));
    }
    proposals.sort((a, b) => b.figures.waitedMs - a.figures.waitedMs);
    return { proposals, held: 0, work: { steps, splits: proposals.length, finished: true } };
  }

  /** Collects upwards from a ticket. @returns tickets examined */
  private slide(left: readonly Waiting[], from: number, widest: number, found: Gathering[]): number {
    const gathering = new Gathering(this.list);
    let next = from;
    for (; next < left.length && !gathering.isFull; next++) {
      const waiting = left[next]!;
      if (waiting.skill - left[from]!.skill > widest) break;
      gathering.take(waiting);
    }
    if (gathering.isFull && gathering.high - gathering.low <= gathering.window) found.push(gathering);
    return next - from;
  }
}
