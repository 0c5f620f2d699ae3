import { own } from '@muster/domain';
import { policies } from '@muster/live-balance';
import type { Policy } from '@muster/sdk';

/** The demo plays so many times as fast as people do: a round is over in seconds. */
export const pace = 20;

/** A policy of ours for a game at the demo's pace: whatever it waits for is over sooner. @throws Error when there is none of that name */
export function quickened(name: string): Policy {
  const policy = own(policies, name);
  if (!policy) throw new Error(`there is no policy "${name}"`);
  return {
    // The names of the interface are the names of the library.
    like: name as Extract<Policy, string>,
    rules: policy.rules.map((rule) => ({ ...withLists(rule), delayMs: Math.round(rule.delayMs / pace) })),
  };
}

type Rules = NonNullable<Extract<Policy, object>['rules']>;

/** The interface has lists that may be changed, the library lists that may not. */
function withLists(rule: (typeof policies)[string]['rules'][number]): Rules[number] {
  return rule.kind === 'weight' ? { ...rule, partyFactors: [...rule.partyFactors] } : rule;
}
