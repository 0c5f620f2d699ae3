import type { SignalKind } from '@muster/domain';
import { signalThresholds } from '@muster/skill';
import { Ladder, unlimited, type HistoryMatch } from './ladder.js';
import { League, type LeagueOptions } from './league.js';
import { planted } from './recorded.js';
import { statisticsOf, type Statistics } from './statistics.js';
import { foundAbove, thresholdFor, type Found, type Sides } from './tracks.js';

/** The share of honest subjects that may be accused. */
export const falseAlarms = 0.01;
/** Pairs that met less often are no subjects: nearly all pairs of a league never meet. */
const leastMatches: Readonly<Record<SignalKind, number>> = {
  newcomer: 5,
  thrown: 20,
  collusion: 3,
  server: 30,
  alternate: 5,
};

/** What a signal and its baselines found in some histories. */
export interface Outcome {
  readonly kind: SignalKind;
  readonly history: string;
  readonly honest: number;
  readonly cheats: number;
  /** At the threshold of the product, and at 1 % false alarms. */
  readonly asShipped: Found;
  readonly signal: Found;
  readonly baseline: Found & { readonly name: string };
  readonly sides: Sides;
  readonly baselineSides: Sides;
}

/** Adds histories of one kind, then says what was found. */
export class Trials {
  private readonly signal: Sides = { honest: [], cheats: [] };
  private readonly baselines = new Map<string, Sides>();

  constructor(
    private readonly kind: SignalKind,
    private readonly history: string,
  ) {}

  simulate(options: Omit<LeagueOptions, 'kind'>): void {
    const { kind } = this;
    const league = new League({ ...options, kind });
    const ladder = new Ladder(unlimited);
    const statistics = statisticsOf(
      kind,
      (id) => league.joinsLate(id),
      (id) => league.habitsOf(id),
    );
    for (const played of league.play((id) => ladder.mean(id))) {
      const { match } = ladder.take(played);
      if (played.round >= options.warmUp) statistics.take(match, ladder);
    }
    this.add(statistics, league.cheats);
  }

  replay(history: readonly HistoryMatch[], means: ReadonlyMap<string, number>, seed: number): void {
    const { kind } = this;
    if (kind === 'alternate') throw new Error('a recorded history has no habits');
    const { matches, cheats } = planted(kind, history, means, seed);
    const ladder = new Ladder(unlimited);
    const statistics = statisticsOf(
      kind,
      () => true,
      () => ({}),
    );
    for (const played of matches) statistics.take(ladder.take(played).match, ladder);
    this.add(statistics, cheats);
  }

  outcome(): Outcome {
    const { kind, history, signal } = this;
    const baselines = [...this.baselines].map(([name, sides]) => ({ name, sides, ...atShare(sides) }));
    const { sides: baselineSides, ...baseline } = baselines.reduce((best, each) =>
      each.found > best.found ? each : best,
    );
    return {
      kind,
      history,
      honest: signal.honest.length,
      cheats: signal.cheats.length,
      asShipped: foundAbove(signal, Math.log(signalThresholds[kind]) - 1e-9),
      signal: atShare(signal),
      baseline,
      sides: signal,
      baselineSides,
    };
  }

  private add(statistics: Statistics, cheats: ReadonlySet<string>): void {
    const least = leastMatches[this.kind];
    const long = new Set(
      statistics.signal
        .subjects()
        .flatMap(([subject]) => (statistics.signal.matchesOf(subject) >= least ? [subject] : [])),
    );
    fill(this.signal, statistics.signal.subjects(), cheats, long);
    for (const [name, tracks] of statistics.baselines) {
      const sides = this.baselines.get(name) ?? { honest: [], cheats: [] };
      fill(sides, tracks.subjects(), cheats, long);
      this.baselines.set(name, sides);
    }
  }
}

function atShare(sides: Sides): Found {
  return foundAbove(sides, thresholdFor(sides.honest, falseAlarms));
}

function fill(
  sides: Sides,
  subjects: readonly (readonly [string, Sides['honest'][number]])[],
  cheats: ReadonlySet<string>,
  long: ReadonlySet<string>,
): void {
  for (const [subject, track] of subjects)
    if (long.has(subject)) (cheats.has(subject) ? sides.cheats : sides.honest).push(track);
}
