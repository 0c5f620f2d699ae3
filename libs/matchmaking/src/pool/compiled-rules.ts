import type { QueueRules, WideningCurve } from '@muster/domain';
import { crossPlayText } from '../cross-play.js';

/** One version of a queue's rules, made quick to ask. Times are milliseconds of waiting; Infinity is never. */
export interface CompiledRules {
  readonly rules: QueueRules;
  /** Tickets of different shapes do not meet: what a match is differs, not only what is allowed when. */
  readonly shape: string;
  /** Places of all teams together. */
  readonly seats: number;
  /** After so long the rules widen no further; the window of skill; the gap of teams. */
  readonly lastStepMs: number;
  readonly lastSpreadMs: number;
  readonly lastGapMs: number;
  /** How few humans a match may have, by waiting: full at first; in rising time. */
  readonly fallbacks: readonly Fallback[];
  /** The wait of one ticket of a match after which the match may have this spread. */
  spreadAfter(spread: number): number;
  gapAfter(gap: number): number;
  /** The ticket's own wait after which it accepts this latency. */
  latencyAfter(latencyMs: number): number;
  /** Parties need not be paired after this. */
  readonly unpairedAfterMs: number;
  /** Maps need not be agreed on after this. */
  readonly anyMapAfterMs: number;
}

/** A smaller match, or one with bots. */
export interface Fallback {
  readonly afterMs: number;
  /** Places a team. */
  readonly teamSize: number;
  /** Humans at the least; below `teams × teamSize` bots take the empty places. */
  readonly minHumans: number;
}

export function compileRules(rules: QueueRules): CompiledRules {
  const { teams, teamSize, smallerTeams = [], bots, maps, behaviour } = rules;
  const seats = teams * teamSize;
  const unpairedAfterMs = (rules.pairPartiesSeconds ?? 0) * 1000;
  const anyMapAfterMs = maps === undefined ? 0 : (maps.agreeSeconds ?? Infinity) * 1000;
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
      maps?.names,
      anyMapAfterMs < Infinity,
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
  };
}

/** `waitUntilAllowed` over arrays, since it is asked a hundred thousand times a tick. */
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
