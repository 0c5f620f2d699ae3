import type { MatchProposal, Tick } from '@muster/matchmaking';
import { Gathering, ListMatcher, type Waiting } from './waiting-list.js';

/**
 * First fit with an expanding window, as in most simple matchmakers: the ticket that has waited longest goes through the
 * others in the order of arrival, and takes each within the window that its wait has opened, until the match is full. If it
 * stays incomplete, the next ticket has its turn.
 */
export class FirstFit extends ListMatcher {
  tick(now: number): Tick {
    const { rules, judge } = this.options;
    const { byArrival } = this.list.at(now);
    const proposals: MatchProposal[] = [];
    const taken = new Set<Waiting>();
    let free = byArrival.reduce((sum, { size }) => sum + size, 0);
    let steps = 0;
    for (const anchor of byArrival) {
      if (free < rules.teams * rules.teamSize) break;
      if (taken.has(anchor)) continue;
      const gathering = new Gathering(this.list);
      gathering.take(anchor);
      for (const other of byArrival) {
        if (gathering.isFull) break;
        steps++;
        if (other === anchor || taken.has(other)) continue;
        const spread = Math.max(gathering.high, other.skill) - Math.min(gathering.low, other.skill);
        if (spread <= anchor.window) gathering.take(other);
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
