import type { Message, RegionOpenings, Ticket } from '@muster/domain';

/** Tickets that may play one another now. */
export interface MatchProposal {
  readonly tickets: readonly string[];
  /** Places per team, bots included. */
  readonly teamSize: number;
  /** Places of all teams together that bots take. */
  readonly bots: number;
  /** Regions within every member's limit, least total latency first; empty means any. */
  readonly regions: readonly string[];
  /** From when each region is within every member's limit; absent: later ones are not known. */
  readonly openings?: RegionOpenings | undefined;
  /** The map with the most wishes; null when the queue names none. */
  readonly map: string | null;
  readonly figures: MatchFigures;
  /** The explanation; computed on access. */
  readonly why: readonly Message[];
}

/** The figures by which a proposal was chosen. */
export interface MatchFigures {
  /** Largest skill of its tickets less the smallest, in units of mu. */
  readonly spread: number;
  /** Largest team sum less the smallest, after the best split, in units of mu. */
  readonly gap: number;
  /** Distance of the better team's chance from one half, 0 to ½. */
  readonly unfairness: number;
  /** Wait of the ticket that has waited longest. */
  readonly waitedMs: number;
}

/** The result of one tick. */
export interface Tick {
  /** Disjoint. */
  readonly proposals: readonly MatchProposal[];
  /** Matches that are possible and held back, since a short wait may give a more even one. */
  readonly held: number;
  readonly work: Work;
}

/** The cost of a tick, in counts that are the same on every machine. */
export interface Work {
  /** Tickets examined. */
  readonly steps: number;
  /** Sets of tickets whose best teams were computed. */
  readonly splits: number;
  /** False when the work limit was reached: the rest comes first in the next tick. */
  readonly finished: boolean;
}

/**
 * Forms matches of the waiting tickets of one queue. Time is a parameter; equal calls give equal answers. A proposal leaves
 * its tickets in the pool: the caller that carries it out removes them.
 */
export interface Matchmaker {
  /** Tickets in the pool. */
  readonly size: number;
  /** Adding a known ticket has no effect. */
  add(ticket: Ticket): void;
  /** @returns whether the ticket was in the pool */
  remove(ticketId: string): boolean;
  /** @param now milliseconds since the epoch; must not decrease */
  tick(now: number): Tick;
}
