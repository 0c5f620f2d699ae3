import type { NewcomerTrack } from '../world/newcomer.js';
import type { Group } from '../world/groups.js';
import { newcomerFigures } from './newcomers.js';
import type { HourFigures, SimulationResult } from './result.js';
import { Tally, type Fairness } from './tally.js';

const hourMs = 3_600_000;
const hundredths = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);

export interface LedgerOptions {
  readonly regions: readonly string[];
  readonly bands: number;
  readonly fromMs: number;
  readonly toMs: number;
  bandOf(account: number): number;
}

/** Counts of the tickets that queued during the measurement, by kind of player. */
export class Ledger {
  private readonly all = new Tally();
  private readonly newcomers = new Tally();
  private readonly parties = new Tally();
  private readonly regions: readonly Tally[];
  private readonly bands: readonly Tally[];
  private readonly hours: { readonly tally: Tally; playing: number; waiting: number; seen: boolean }[];
  /** An hour, or less at the end of the run. */
  private readonly stretchMs: number;
  private readonly courses: NewcomerTrack[] = [];
  matches = 0;
  calledOff = 0;

  constructor(private readonly options: LedgerOptions) {
    const { regions, bands, fromMs, toMs } = options;
    this.regions = regions.map(() => new Tally());
    this.bands = Array.from({ length: bands }, () => new Tally());
    const hours = Math.max(1, Math.ceil((toMs - fromMs) / hourMs));
    this.stretchMs = (toMs - fromMs) / hours;
    this.hours = Array.from({ length: hours }, () => ({
      tally: new Tally(),
      playing: 0,
      waiting: 0,
      seen: false,
    }));
  }

  matched(
    group: Group,
    queuedAt: number,
    waitMs: number,
    fairness: Fairness,
    spread: number,
    teams: number,
  ): void {
    this.each(group, queuedAt, (tally) => tally.matched(waitMs, fairness, spread, teams));
  }

  gaveUp(group: Group, queuedAt: number): void {
    this.each(group, queuedAt, (tally) => tally.gaveUp());
  }

  /** Called at every tick with the number of players; keeps one count per hour, from its middle. */
  recordHour(now: number, playing: number, waiting: number): void {
    const at = (now - this.options.fromMs) / this.stretchMs;
    const hour = this.hours[Math.floor(at)];
    if (at < 0 || !hour || hour.seen || at - Math.floor(at) < 0.5) return;
    hour.playing = playing;
    hour.waiting = waiting;
    hour.seen = true;
  }

  follow(course: NewcomerTrack): void {
    this.courses.push(course);
  }

  figures(
    followed: number,
    sigma: number,
  ): Pick<
    SimulationResult,
    | 'matches'
    | 'calledOff'
    | 'playing'
    | 'all'
    | 'regions'
    | 'bands'
    | 'newcomers'
    | 'parties'
    | 'hours'
    | 'waitCurve'
    | 'placement'
  > {
    const of = (isCalibrated: boolean, isSmurf: boolean): ReturnType<typeof newcomerFigures> =>
      newcomerFigures(
        this.courses.filter((each) => each.wasCalibrated === isCalibrated && each.isSmurf === isSmurf),
        followed,
        sigma,
      );
    const seen = this.hours.filter((hour) => hour.seen);
    return {
      matches: this.matches,
      calledOff: this.calledOff,
      playing: seen.reduce((sum, { playing }) => sum + playing, 0) / seen.length,
      all: this.all.figures(),
      regions: Object.fromEntries(
        this.options.regions.map((name, i) => [name, (this.regions[i] ?? new Tally()).figures()]),
      ),
      bands: this.bands.map((tally) => tally.figures()),
      newcomers: this.newcomers.figures(),
      parties: this.parties.figures(),
      hours: this.hours.flatMap(({ tally, playing, waiting, seen: isSeen }, i): HourFigures[] =>
        isSeen
          ? [{ hour: ((i + 0.5) * this.stretchMs) / hourMs, playing, waiting, figures: tally.figures() }]
          : [],
      ),
      waitCurve: this.all.waitsAt(hundredths),
      placement: {
        calibrated: of(true, false),
        plain: of(false, false),
        calibratedSmurfs: of(true, true),
        plainSmurfs: of(false, true),
      },
    };
  }

  private each(group: Group, queuedAt: number, count: (tally: Tally) => void): void {
    const { fromMs } = this.options;
    if (queuedAt < fromMs) return;
    const hour = this.hours[Math.floor((queuedAt - fromMs) / this.stretchMs)];
    const region = this.regions[group.region];
    for (const account of group.members) {
      count(this.all);
      if (region) count(region);
      if (hour) count(hour.tally);
      if (group.course) count(this.newcomers);
      if (group.members.length > 1) count(this.parties);
      const band = this.bands[this.options.bandOf(account)];
      if (band) count(band);
    }
  }
}
