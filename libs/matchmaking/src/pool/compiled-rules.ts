import type { QueueRules, WideningCurve } from '@muster/domain';
import { crossPlayText } from '../cross-play.js';

/** One version of a queue's rules, compiled for fast evaluation. Times are milliseconds of waiting; Infinity is never. */
export interface CompiledRules {
  readonly rules: QueueRules;
  /** A key for the size of teams and similar rules: tickets with different keys cannot share a match. */
  readonly shape: string;
  /** Places of all teams together. */
  readonly seats: number;
  /** The wait after which the rules widen no further: of all rules, of the skill window, of the gap between teams. */
  readonly lastStepMs: number;
  readonly lastSpreadMs: number;
  readonly lastGapMs: number;
  /** Fewest humans of a match by waiting: full at first; in rising time. */
  readonly fallbacks: readonly Fallback[];
  /** The wait of one ticket of a match after which the match may have this spread. */
  spreadAfter(spread: number): number;
  gapAfter(gap: number): number;
  /** The ticket's own wait after which it accepts this latency. */
  latencyAfter(latencyMs: number): number;
  /** Parties need no opposing party after this. */
  readonly unpairedAfterMs: number;
  /** Maps need no agreement after this. Infinity without maps: such tickets do not end the agreement of others. */
  readonly anyMapAfterMs: number;
  /** Maps always need agreement. */
  readonly insistsOnMaps: boolean;
}

/** A smaller match, or one with bots. */
export interface Fallback {
  readonly afterMs: number;
  /** Places per team. */
  readonly teamSize: number;
  /** Fewest humans; below `teams × teamSize` bots take the empty places. */
  readonly minHumans: number;
}

export function compileRules(rules: QueueRules): CompiledRules {
  const { teams, teamSize, smallerTeams = [], bots, maps, behaviour } = rules;
  const seats = teams * teamSize;
  const unpairedAfterMs = (rules.pairPartiesSeconds ?? 0) * 1000;
  const anyMapAfterMs = (maps?.agreeSeconds ?? Infinity) * 1000;
  // A change of the maps themselves does not part tickets: their wishes are compared by name.
  const insistsOnMaps = maps?.agreeSeconds === null;
  const fallbacks = [
    ...smallerTeams.map((smaller) => ({
      afterMs: smaller.afterSeconds * 1000,
      teamSize: smaller.teamSize,
      minHumans: teams * smaller.teamSize,
    })),
    ...(bots ? [{ afterMs: bots.afterSeconds * 1000, teamSize, minHumans: bots.minPlayers }] : []),
  ].toSorted((a, b) => a.afterMs - b.afterMs);
  const steps = [
    ...[rules.skillWindow, rules.teamGap, rules.latencyLimitMs].map(
      (curve) => (curve.at(-1)?.afterSeconds ?? 0) * 1000,
    ),
    ...fallbacks.map((fallback) => fallback.afterMs),
    unpairedAfterMs,
    anyMapAfterMs,
    (behaviour?.apartSeconds ?? 0) * 1000,
  ];
  return {
    rules,
    shape: JSON.stringify([
      rules.mode,
      rules.pool,
      teams,
      teamSize,
      rules.roles,
      insistsOnMaps,
      ...(rules.sides ? [rules.sides] : []),
      ...(rules.crossPlay ? [crossPlayText(rules.crossPlay)] : []),
    ]),
    seats,
    lastStepMs: Math.max(...steps.filter(Number.isFinite)),
    lastSpreadMs: (rules.skillWindow.at(-1)?.afterSeconds ?? 0) * 1000,
    lastGapMs: (rules.teamGap.at(-1)?.afterSeconds ?? 0) * 1000,
    fallbacks,
    spreadAfter: inverse(rules.skillWindow),
    gapAfter: inverse(rules.teamGap),
    latencyAfter: inverse(rules.latencyLimitMs),
    unpairedAfterMs,
    anyMapAfterMs,
    insistsOnMaps,
  };
}

/** `waitUntilAllowed` over arrays, since a tick calls it a hundred thousand times. */
function inverse(curve: WideningCurve): (needed: number) => number {
  const after = Float64Array.from(curve, (corner) => corner.afterSeconds * 1000);
  const limit = Float64Array.from(curve, (corner) => corner.limit ?? Infinity);
  return (needed) => {
    for (let i = 0; i < limit.length; i++) {
      if (limit[i]! < needed) continue;
      const before = i === 0 ? needed : limit[i - 1]!;
      if (i === 0 || limit[i] === Infinity || limit[i] === before) return after[i]!;
      return after[i - 1]! + ((needed - before) / (limit[i]! - before)) * (after[i]! - after[i - 1]!);
    }
    return Infinity;
  };
}
