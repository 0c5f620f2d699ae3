import type { Figures } from './tally.js';
import type { NewcomerFigures } from './newcomers.js';

/** How the tickets of a run ended; the numbers add up to `queued`. */
export interface TicketEnds {
  readonly queued: number;
  readonly matched: number;
  readonly gaveUp: number;
  readonly expired: number;
  /** Still waiting when the run ended. */
  readonly waiting: number;
}

/** One hour of the run, or less at its end. */
export interface HourFigures {
  /** The middle of it, in hours since the measurement began. */
  readonly hour: number;
  /** Players in the queue, in a match or between two, in the middle of it. */
  readonly playing: number;
  /** Tickets in the queue then. */
  readonly waiting: number;
  readonly figures: Figures;
}

/** The results of a run. Deterministic for the same options, to the bit. */
export interface SimulationResult {
  readonly population: string;
  readonly queue: string;
  readonly days: number;
  readonly seed: number;
  /** Of the whole run, the warm-up included. */
  readonly tickets: TicketEnds;
  /** Formed during the measurement. */
  readonly matches: number;
  /** Matches with a player who did not connect. */
  readonly calledOff: number;
  /** Mean number of players over the measured hours. */
  readonly playing: number;
  readonly all: Figures;
  readonly regions: Readonly<Record<string, Figures>>;
  /** Tenths of the population by true skill, the lowest first. */
  readonly bands: readonly Figures[];
  readonly newcomers: Figures;
  readonly parties: Figures;
  readonly hours: readonly HourFigures[];
  /** Quantiles of the waits in milliseconds, from 1 % to 99 %. */
  readonly waitCurve: readonly number[];
  readonly placement: {
    readonly calibrated: NewcomerFigures;
    readonly plain: NewcomerFigures;
    readonly calibratedSmurfs: NewcomerFigures;
    readonly plainSmurfs: NewcomerFigures;
  };
  readonly work: {
    readonly ticks: number;
    readonly steps: number;
    readonly splits: number;
    readonly held: number;
    /** Ticks that reached their work limit. */
    readonly cut: number;
  };
}
