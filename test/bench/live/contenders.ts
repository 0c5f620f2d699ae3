import { none, policies } from '@muster/live-balance';
import type { LiveContender } from '@muster/lab-simulation';

/** A server without live balance: newcomers join the smaller team; no player is moved. */
export const noBalance: LiveContender = { name: 'none', policy: none, arrivals: 'smaller-team' };

/** The baseline, Muster's `none` (which places newcomers by rating and moves no player), and every built-in policy. */
export const contenders: readonly LiveContender[] = [
  noBalance,
  { name: 'placement-only', policy: none, arrivals: 'policy' },
  ...Object.values(policies)
    .filter(({ name }) => name !== none.name)
    .map((policy): LiveContender => ({ name: policy.name, policy, arrivals: 'policy' })),
];
