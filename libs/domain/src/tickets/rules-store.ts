import type { Message } from '../messages/message.js';
import type { QueueRules } from '../schemas/queue-rules.js';

/** The tickets that a version applies to: new ones, or also waiting ones. */
export type RulesApplyTo = 'new' | 'all';

/** A version of a queue's rules. */
export interface RulesVersion {
  readonly queue: string;
  /** From 1, without gaps. */
  readonly version: number;
  readonly rules: QueueRules;
  /** The reason given for the change; may be empty. */
  readonly why: string;
  /** The messages of `why`; absent where it is an operator's text, or the previous release wrote it. */
  readonly messages?: readonly Message[] | undefined;
  readonly appliesTo: RulesApplyTo;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Rules to put in force. They name their queue. */
export interface RulesChange {
  readonly rules: QueueRules;
  readonly why: string;
  readonly appliesTo: RulesApplyTo;
  /** The version that the change began with; 0 when the queue did not exist. Not checked when absent. */
  readonly expectedVersion?: number;
}

/**
 * The outcome of a change. `same`: these rules were in force already, for all tickets that it applies to. `stale`: another
 * version came first.
 */
export type RulesChangeOutcome =
  | { readonly outcome: 'changed' | 'same'; readonly now: RulesVersion }
  /** @param newest 0 when there is no such queue */
  | { readonly outcome: 'stale'; readonly newest: number };

/**
 * Whether a change would have no effect: the same rules are in force, and no ticket that it applies to has others.
 *
 * @param versions of the queue, oldest first
 */
export function changesNothing(
  versions: readonly RulesVersion[],
  { rules, appliesTo }: Pick<RulesChange, 'rules' | 'appliesTo'>,
): boolean {
  const newest = versions.at(-1);
  if (!newest || !sameRules(newest.rules, rules)) return false;
  if (appliesTo === 'new') return true;
  const forAll = versions.findLastIndex((each) => each.appliesTo === 'all');
  const followed = versions.slice(Math.max(0, forAll));
  return followed.every((each) => sameRules(each.rules, rules));
}

/** Whether a change was made before: its answer was lost, and it is repeated. */
export function isRepeat(newest: RulesVersion, change: RulesChange): boolean {
  const { rules, why, appliesTo, expectedVersion } = change;
  const next = expectedVersion !== undefined && newest.version === expectedVersion + 1;
  return next && newest.why === why && newest.appliesTo === appliesTo && sameRules(newest.rules, rules);
}

/** Whether two rules are equal, whatever the order of their fields. */
export function sameRules(one: QueueRules, other: QueueRules): boolean {
  return sameValue(one, other);
}

function sameValue(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const left = fieldsOf(one);
  const right = fieldsOf(other);
  return left.size === right.size && [...left].every(([key, value]) => sameValue(value, right.get(key)));
}

/** A field without a value is absent: JSON has no `undefined`. */
function fieldsOf(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, field]) => field !== undefined));
}
