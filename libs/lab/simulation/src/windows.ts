import type { QueueRules, WideningCurve } from '@muster/domain';

/**
 * The rules with their windows of skill and of team gap opening slower or faster: this traces a matcher's curve of waiting
 * against fairness. Limits of latency stay.
 *
 * @param factor above 0; at 2 every corner comes after twice the wait
 */
export function stretched(rules: QueueRules, factor: number): QueueRules {
  return {
    ...rules,
    skillWindow: stretchedCurve(rules.skillWindow, factor),
    teamGap: stretchedCurve(rules.teamGap, factor),
  };
}

function stretchedCurve(curve: WideningCurve, factor: number): WideningCurve {
  return curve.map(({ afterSeconds, limit }) => ({ afterSeconds: afterSeconds * factor, limit }));
}
