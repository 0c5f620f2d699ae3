import type { Message, Said } from './messages/message.js';
import type { QueueRules } from './queue-rules.js';

/** Whom a version of rules is for: tickets that come from now on, or also those that wait already. */
export type RulesApplyTo = 'new' | 'all';

/** A queue's rules as they were put in force at some time. */
export interface RulesVersion {
  readonly queue: string;
  /** From 1, without gaps. */
  readonly version: number;
  readonly rules: QueueRules;
  /** What was said about the change; may be empty. */
  readonly why: string;
  /** The messages of `why`; absent where it is an operator's text, or a release before wrote it. */
  readonly messages?: readonly Message[] | undefined;
  readonly appliesTo: RulesApplyTo;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Rules that somebody wants in force. The queue is the one that they name. */
export interface RulesChange {
  readonly rules: QueueRules;
  readonly why: string;
  readonly appliesTo: RulesApplyTo;
  /** The version that the change began with; 0 when the queue was not there. Not looked at when it is absent. */
  readonly expectedVersion?: number;
}

/**
 * What came of a change. `same`: these rules were in force already, for all that it was to apply to. `stale`: another version
 * came in between.
 */
export type RulesChangeOutcome =
  | { readonly outcome: 'changed' | 'same'; readonly now: RulesVersion }
  /** @param newest 0 when there is no such queue */
  | { readonly outcome: 'stale'; readonly newest: number };

/** The rules of all queues with all their versions, for good. */
export interface RulesStore {
  /**
   * All versions above those known, by queue and in rising order.
   *
   * @param known the newest known version of each queue
   */
  after(known: ReadonlyMap<string, number>): Promise<RulesVersion[]>;
  /**
   * Makes each of these the first version of its queue, unless that has one. Of several at once, one makes it.
   *
   * @returns names of the queues that were made
   */
  seed(rules: readonly QueueRules[], why: Said, now: number): Promise<string[]>;
  /**
   * Puts rules in force as the next version, unless nothing differs. Of several at once, each gets a version of its own. The
   * same change again, with the version that it expected, is the same version again.
   */
  change(change: RulesChange, now: number): Promise<RulesChangeOutcome>;
}

/**
 * Whether a change of a queue would change nothing: the same rules are in force, and no ticket that it is to reach follows
 * others.
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

/** Whether a change is one that was made before: its answer was lost, and it is asked for again. */
export function isRepeat(newest: RulesVersion, change: RulesChange): boolean {
  const { rules, why, appliesTo, expectedVersion } = change;
  const next = expectedVersion !== undefined && newest.version === expectedVersion + 1;
  return next && newest.why === why && newest.appliesTo === appliesTo && sameRules(newest.rules, rules);
}

/** Whether two rules say the same, in whatever order their fields stand. */
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

/** A field without a value is none: JSON knows no `undefined`. */
function fieldsOf(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, field]) => field !== undefined));
}
