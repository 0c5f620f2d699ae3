import type { Random } from '../clock.js';
import type { AllocatedServer, AllocationRequest, ProviderAnswer, ReleaseAnswer } from './provider.js';

/**
 * `asked` is to be sent, or was sent without an answer; `pending` was accepted; `allocated` has a server that has not
 * registered yet; `claimed` has one that did; `releasing` is given back. The others are ends.
 */
export type AllocationState =
  'asked' | 'pending' | 'allocated' | 'claimed' | 'releasing' | 'released' | 'failed';

/** An allocation whose next step is due, taken by one replica. */
export interface DueAllocation extends AllocationRequest {
  readonly state: 'asked' | 'pending' | 'allocated' | 'releasing';
  /** Steps since it was asked for or given up, this one included. An answer counts only for its attempt. */
  readonly attempt: number;
  /** When it is given up unless a server has registered, milliseconds since the epoch. */
  readonly giveUpAt: number;
}

/** `drop` ends an allocation that was never sent, `give-up` one that may have a server. */
export type AllocationStep = 'ask' | 'poll' | 'release' | 'give-up' | 'drop';

/** The next step of a due allocation. */
export function stepOf({ state, attempt, giveUpAt }: DueAllocation, now: number): AllocationStep {
  if (state === 'releasing') return 'release';
  if (state === 'allocated') return 'give-up';
  if (now >= giveUpAt) return state === 'asked' && attempt === 1 ? 'drop' : 'give-up';
  return state === 'asked' ? 'ask' : 'poll';
}

/** What an answer changes. `waits` keeps the state. */
export type AllocationChange =
  | { readonly to: 'allocated'; readonly server: AllocatedServer }
  | { readonly to: 'pending'; readonly nextAt: number }
  | { readonly to: 'failed'; readonly error: string }
  | { readonly to: 'released' }
  | {
      readonly to: 'waits';
      readonly nextAt: number;
      readonly error: string;
      /** Until when the provider wants no request at all; null: it said nothing. */
      readonly pausedUntil: number | null;
    };

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** A provider that asks for more is asked again after this time. */
const longestRetryAfterMs = 600_000;
/** What a provider asks for, but never at once and not too late. */
const heeded = (retryAfterMs: number): number =>
  Math.min(Math.max(retryAfterMs, firstPauseMs), longestRetryAfterMs);
/** How often a server that was given back and is still held is looked up, at most. */
const longestHeldMs = 300_000;

/** The pause before a repeat: doubled with each attempt, with up to a half of it added at random. */
export function repeatAfterMs(attempt: number, random: Random, longestMs = longestPauseMs): number {
  const pauseMs = Math.min(longestMs, firstPauseMs * 2 ** Math.min(attempt - 1, 20));
  return Math.round(pauseMs * (1 + random() / 2));
}

/** What the answer to `ask` or `poll` changes. */
export function decideAllocation(
  { attempt, giveUpAt }: DueAllocation,
  answer: ProviderAnswer,
  now: number,
  random: Random,
): AllocationChange {
  if (answer.state === 'allocated') {
    const { serverId, host, port } = answer;
    return { to: 'allocated', server: { serverId, host, port } };
  }
  if (answer.state === 'failed') return { to: 'failed', error: answer.error };
  const waitMs = heeded(answer.retryAfterMs ?? repeatAfterMs(attempt, random));
  const nextAt = Math.min(now + waitMs, Math.max(giveUpAt, now));
  if (answer.state === 'pending') return { to: 'pending', nextAt };
  return { to: 'waits', nextAt, error: answer.error, pausedUntil: pausedUntil(answer.retryAfterMs, now) };
}

/** What the answer to `release` changes. It is repeated until the provider holds nothing. */
export function decideAllocationRelease(
  { attempt }: DueAllocation,
  answer: ReleaseAnswer,
  now: number,
  random: Random,
): AllocationChange {
  if (answer.state === 'released') return { to: 'released' };
  const asked = answer.state === 'held' ? null : answer.retryAfterMs;
  const pauseMs = repeatAfterMs(attempt, random, answer.state === 'held' ? longestHeldMs : longestPauseMs);
  return {
    to: 'waits',
    nextAt: now + heeded(asked ?? pauseMs),
    error: answer.state === 'held' ? 'the provider still holds the server' : answer.error,
    pausedUntil: pausedUntil(asked, now),
  };
}

function pausedUntil(retryAfterMs: number | null, now: number): number | null {
  return retryAfterMs === null ? null : now + heeded(retryAfterMs);
}
