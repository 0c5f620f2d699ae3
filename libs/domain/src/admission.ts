/**
 * Admission control: new work is refused before its delay grows, by the delay itself, after CoDel (RFC 8289). A burst passes,
 * because the least delay of an interval stays small while a queue drains. A standing queue does not: then the calls in progress
 * are limited to what is answered within the target (Little's law), and the rest is refused at once.
 */

/** When new work is refused. */
export interface AdmissionRules {
  /** The delay that every call of an interval may have before the queue counts as standing. */
  readonly targetMs: number;
  readonly intervalMs: number;
  /** Calls in progress that are admitted at least, so that there are always delays to measure. */
  readonly least: number;
  /** Calls that may arrive at once while no queue stands, if what is held is not known to be more. */
  readonly burst: number;
  readonly most: number;
  /** The longest wait that a refusal asks for. */
  readonly longestWaitMs: number;
}

/** The delay above which new work is refused by default, in milliseconds. */
export const defaultDelayMs = 40;

/** @param targetMs the delay above which new work is refused; 0: only when very much is in progress */
export const admissionRules = (targetMs: number): AdmissionRules => ({
  targetMs: targetMs === 0 ? Infinity : targetMs,
  intervalMs: 100,
  least: 8,
  burst: 100,
  most: 500,
  longestWaitMs: 30_000,
});

export interface AdmissionState {
  /** Calls that may be in progress at once. */
  readonly limit: number;
  /** Answers a millisecond while the limit was reached: what is held. */
  readonly perMs: number;
  /** Until when those who were refused have been given times to return, each their own. */
  readonly promisedUntil: number;
  /** The running interval. */
  readonly since: number;
  readonly answers: number;
  readonly leastDelayMs: number;
  /** Calls at once, at most: those in progress, and one that arrives. */
  readonly mostAtOnce: number;
  readonly wasFull: boolean;
}

export type Arrival =
  | { readonly admitted: true; readonly state: AdmissionState }
  | { readonly admitted: false; readonly state: AdmissionState; readonly waitMs: number };

/** An interval with fewer answers goes on, at most so many times as long: the least of few delays says little. */
const fewestAnswers = 5;
const longestInterval = 10;
/**
 * What is left of the limit after each interval with a standing queue: while it is above what is answered within so many targets, and
 * below.
 */
const backOff = { fast: 0.7, aboveTargets: 2, slow: 0.85 };
/** A burst may take so many targets to be answered. */
const burstTargets = 10;
/** What a measured rate counts against those before it. */
const newRate = 0.3;
const startPerMs = 0.1;

export function openAdmission(rules: AdmissionRules, now: number): AdmissionState {
  return {
    limit: highestLimit(rules, startPerMs),
    perMs: startPerMs,
    promisedUntil: now,
    ...freshInterval(now),
  };
}

const freshInterval = (since: number) => ({
  since,
  answers: 0,
  leastDelayMs: Infinity,
  mostAtOnce: 0,
  wasFull: false,
});

/**
 * Decides about a call that arrives.
 *
 * 1. End the interval if it is over.
 * 2. Admit the call if fewer than the limit are in progress.
 * 3. Otherwise give it the next free time to return: those who are refused come back at the rate that is held, one after the
 *    other, not at once. Beyond the longest wait they are spread over its second half.
 *
 * @param inProgress calls that were admitted and are not answered yet
 * @param random from 0 to 1
 */
export function decideArrival(
  state: AdmissionState,
  rules: AdmissionRules,
  { inProgress, now, random }: { readonly inProgress: number; readonly now: number; readonly random: number },
): Arrival {
  const judged = endInterval(state, rules, now);
  const at = { ...judged, mostAtOnce: Math.max(judged.mostAtOnce, inProgress + 1) };
  if (inProgress < at.limit) return { admitted: true, state: at };
  const promisedUntil = Math.min(Math.max(at.promisedUntil, now) + 1 / at.perMs, now + rules.longestWaitMs);
  const waitMs = promisedUntil - now;
  return {
    admitted: false,
    state: { ...at, promisedUntil, wasFull: true },
    waitMs: waitMs < rules.longestWaitMs ? waitMs : waitMs * (0.5 + random / 2),
  };
}

/** Notes the delay of a call that was admitted and did its work. @param inProgress calls in progress, with this one */
export function noteAnswer(
  state: AdmissionState,
  rules: AdmissionRules,
  {
    delayMs,
    inProgress,
    now,
  }: { readonly delayMs: number; readonly inProgress: number; readonly now: number },
): AdmissionState {
  const at = endInterval(state, rules, now);
  return {
    ...at,
    answers: at.answers + 1,
    leastDelayMs: Math.min(at.leastDelayMs, delayMs),
    mostAtOnce: Math.max(at.mostAtOnce, inProgress),
  };
}

/**
 * Judges the interval if it is over.
 *
 * 1. What was answered while the limit was reached, or while a queue stood, is the rate that is held.
 * 2. A standing queue lowers the limit, fast while it is far above what is answered in time. A pause of the server, after which the
 *    queue drains, costs few refusals.
 * 3. Otherwise it rises by one call, up to where bursts pass again.
 *
 * An interval without an answer says nothing. Where hardly any call is in progress, a delay is not one of a queue.
 */
function endInterval(state: AdmissionState, rules: AdmissionRules, now: number): AdmissionState {
  const lastsMs = now - state.since;
  const { answers, limit } = state;
  if (lastsMs < rules.intervalMs) return state;
  if (answers < fewestAnswers && lastsMs < longestInterval * rules.intervalMs) return state;
  if (answers === 0) return { ...state, ...freshInterval(now) };
  const isStanding = state.leastDelayMs > rules.targetMs && state.mostAtOnce > rules.least;
  // 1. The rate that is held.
  const seen = answers / lastsMs;
  const isHeld = state.wasFull || isStanding;
  const perMs = isHeld ? state.perMs + newRate * (seen - state.perMs) : Math.max(state.perMs, seen);
  // 2. and 3. The limit.
  const isFar = limit > backOff.aboveTargets * rules.targetMs * perMs;
  const next = isStanding ? limit * (isFar ? backOff.fast : backOff.slow) : limit + 1;
  return {
    ...state,
    perMs,
    limit: Math.max(rules.least, Math.min(next, highestLimit(rules, perMs))),
    ...freshInterval(now),
  };
}

function highestLimit({ targetMs, burst, most }: AdmissionRules, perMs: number): number {
  return Math.min(most, Math.max(burst, burstTargets * targetMs * perMs));
}
