import type { Figures } from './tally.js';
import type { NewcomerFigures } from './newcomers.js';

/** Where every ticket of a run ended; they add up to `queued`. */
export interface TicketEnds {
  readonly queued: number;
  readonly matched: number;
  readonly gaveUp: number;
  readonly expired: number;
  /** Still waiting when the run ended. */
  readonly waiting: number;
}

/** One hour of the run, or a little less where it is no whole number of hours. */
export interface HourFigures {
  /** Hours since the measuring began, of the middle of it. */
  readonly hour: number;
  /** Players in the queue, in a match or between two, in the middle of it. */
  readonly playing: number;
  /** Tickets in the queue then. */
  readonly waiting: number;
  readonly figures: Figures;
}

/** What a run came to. The same options give the same to the bit. */
export interface SimulationResult {
  readonly population: string;
  readonly queue: string;
  readonly days: number;
  readonly seed: number;
  /** Of the whole run, the warm-up included. */
  readonly tickets: TicketEnds;
  /** Formed while it was measured. */
  readonly matches: number;
  /** Matches that somebody did not connect to. */
  readonly calledOff: number;
  /** Players who play, on the mean of the hours measured. */
  readonly playing: number;
  readonly all: Figures;
  readonly regions: Readonly<Record<string, Figures>>;
  /** Tenths of the population by true skill, the lowest first. */
  readonly bands: readonly Figures[];
  readonly newcomers: Figures;
  readonly parties: Figures;
  readonly hours: readonly HourFigures[];
  /** Waits in milliseconds that each hundredth of the players stays below, from 1 % to 99 %. */
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
    /** Ticks that met the bound on their work. */
    readonly cut: number;
  };
}
