import { own } from '@muster/domain';
import { policies } from '@muster/live-balance';
import type { Policy } from '@muster/sdk';

/** The pace of the demo: this many times as fast as people play, so that a round takes seconds. */
export const pace = 20;

/** A built-in policy for a game at the demo's pace: its waiting times are shorter. @throws Error for an unknown name */
export function quickened(name: string): Policy {
  const policy = own(policies, name);
  if (!policy) throw new Error(`there is no policy "${name}"`);
  return {
    // The API uses the names of the library.
    like: name as Extract<Policy, string>,
    rules: policy.rules.map((rule) => ({ ...withLists(rule), delayMs: Math.round(rule.delayMs / pace) })),
  };
}

type Rules = NonNullable<Extract<Policy, object>['rules']>;

/** The API has mutable lists, the library read-only ones. */
function withLists(rule: (typeof policies)[string]['rules'][number]): Rules[number] {
  return rule.kind === 'weight' ? { ...rule, partyFactors: [...rule.partyFactors] } : rule;
}
