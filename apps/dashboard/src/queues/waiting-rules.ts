import type { AnswerOf } from '@muster/contracts';

export type WaitingTicket = AnswerOf<'listWaiting'>['waiting'][number];
export type WaitingRule = WaitingTicket['rule'];

/** How many tickets wait for a rule, and how long half of them have waited at most. */
export interface RuleShare {
  readonly rule: WaitingRule;
  readonly tickets: number;
  readonly medianMs: number;
  /** Of all that wait, 0 to 1. */
  readonly share: number;
}

/** The rules that tickets wait for, those of most tickets first. */
export function sharesOf(waiting: readonly WaitingTicket[]): RuleShare[] {
  const waits = new Map<WaitingRule, number[]>();
  for (const { rule, waitedMs } of waiting) {
    const known = waits.get(rule) ?? [];
    waits.set(rule, known);
    known.push(waitedMs);
  }
  return [...waits]
    .map(([rule, each]) => ({
      rule,
      tickets: each.length,
      medianMs: medianOf(each),
      share: each.length / waiting.length,
    }))
    .toSorted((a, b) => b.tickets - a.tickets || (a.rule < b.rule ? -1 : 1));
}

/** The middle of some numbers; 0 without any. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}
