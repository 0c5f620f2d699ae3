import type { Message, Ticket } from '@muster/domain';

/** Tickets that may play one another now. */
export interface MatchProposal {
  readonly tickets: readonly string[];
  /** Places a team, bots included. */
  readonly teamSize: number;
  /** Places of all teams together that bots take. */
  readonly bots: number;
  /** Regions within every member's limit, least total latency first; empty means any. */
  readonly regions: readonly string[];
  /** The map of most wishes; null when the queue names none. */
  readonly map: string | null;
  readonly figures: MatchFigures;
  /** Why these tickets; made when it is read. */
  readonly why: readonly Message[];
}

/** What a proposal was judged by. */
export interface MatchFigures {
  /** Largest skill of its tickets less the smallest, in units of mu. */
  readonly spread: number;
  /** Largest team sum less the smallest, after the best split, in units of mu. */
  readonly gap: number;
  /** How far the better team's chance is from one half, 0 to ½. */
  readonly unfairness: number;
  /** Of the ticket that has waited longest. */
  readonly waitedMs: number;
}

/** What one tick came to. */
export interface Tick {
  /** Disjoint. */
  readonly proposals: readonly MatchProposal[];
  /** Matches that are at hand and are held back, since a little more waiting may give a more even one. */
  readonly held: number;
  readonly work: Work;
}

/** What a tick cost, in counts that are the same on every machine. */
export interface Work {
  /** Tickets looked at. */
  readonly steps: number;
  /** Sets of tickets whose best teams were worked out. */
  readonly splits: number;
  /** False when the bound on the work was met: what is left comes first in the next tick. */
  readonly finished: boolean;
}

/**
 * Forms matches of the waiting tickets of one queue. Time is passed in; the same calls give the same answers. A proposal leaves
 * its tickets in the pool: whoever carries it out removes them.
 */
export interface Matchmaker {
  /** Tickets in the pool. */
  readonly size: number;
  /** Adding a ticket that is there changes nothing. */
  add(ticket: Ticket): void;
  /** @returns whether it was there */
  remove(ticketId: string): boolean;
  /** @param now milliseconds since the epoch; never less than before */
  tick(now: number): Tick;
}
