import type { MatchProposal, Tick } from '@muster/matchmaking';
import { Gathering, ListMatcher, type Waiting } from './waiting-list.js';

/**
 * First come, first served: the ticket that has waited longest plays with the next ones that can play in the same region,
 * whatever their skill. No matcher has shorter waits; it ignores fairness.
 */
export class FirstCome extends ListMatcher {
  tick(now: number): Tick {
    const { rules, judge } = this.options;
    const { byArrival } = this.list.at(now);
    const proposals: MatchProposal[] = [];
    const taken = new Set<Waiting>();
    let free = byArrival.reduce((sum, { size }) => sum + size, 0);
    let steps = 0;
    for (const [i, anchor] of byArrival.entries()) {
      if (free < rules.teams * rules.teamSize) break;
      if (taken.has(anchor)) continue;
      const gathering = new Gathering(this.list);
      gathering.take(anchor);
      for (let next = i + 1; next < byArrival.length && !gathering.isFull; next++) {
        const other = byArrival[next]!;
        steps++;
        if (!taken.has(other)) gathering.take(other);
      }
      if (!gathering.isFull) continue;
      for (const waiting of gathering.set) {
        taken.add(waiting);
        free -= waiting.size;
      }
      proposals.push(this.list.proposal(gathering.set, now, judge));
    }
    return { proposals, held: 0, work: { steps, splits: proposals.length, finished: true } };
  }
}
