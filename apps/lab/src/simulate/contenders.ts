import type { QueueRules } from '@muster/domain';
import { WaitingPool, type Matchmaker } from '@muster/matchmaking';
import { baselines, judgeOf, type Population } from '@muster/lab-simulation';

/** A matcher with rules, to be simulated. */
export interface Contender {
  readonly name: string;
  readonly rules: QueueRules;
  /** Whether the opening times of windows have an effect. */
  readonly hasWindow: boolean;
  readonly matcher: (rules: QueueRules) => Matchmaker;
}

/** Muster's own matcher. */
export function muster(name: string, rules: QueueRules): Contender {
  return { name, rules, hasWindow: true, matcher: (given) => new WaitingPool(given) };
}

/** The baseline matchers, with the same rules. */
export function baselineContenders(rules: QueueRules, { skill }: Population): Contender[] {
  return baselines.map(({ name, hasWindow, open }) => ({
    name,
    rules,
    hasWindow,
    matcher: (given) => open({ rules: given, judge: judgeOf(given, skill.performance) }),
  }));
}
