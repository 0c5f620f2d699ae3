import { none, policies } from '@muster/live-balance';
import type { LiveContender } from '@muster/simulation';

/** What every server does that has no live balance: newcomers join the smaller team, whoever they are; nobody is moved. */
export const doingNothing: LiveContender = { name: 'none', policy: none, arrivals: 'smaller-team' };

/** Doing nothing, Muster's `none` (which places newcomers by rating and moves nobody), and every policy that comes with Muster. */
export const contenders: readonly LiveContender[] = [
  doingNothing,
  { name: 'placement-only', policy: none, arrivals: 'policy' },
  ...Object.values(policies)
    .filter(({ name }) => name !== none.name)
    .map((policy): LiveContender => ({ name: policy.name, policy, arrivals: 'policy' })),
];
