import { Label, textUpTo } from '@muster/domain/schemas';
import { z } from 'zod';

const mostKinds = 8;

/** What a player's device, settings or network look like: codes by kind. */
export const Habits = z
  .record(Label, textUpTo(128))
  .refine((habits) => Object.keys(habits).length <= mostKinds, {
    message: `must have at most ${mostKinds} kinds`,
  });

/** What habits are for, and what to send. */
export const habitsAre =
  'What the player’s device, settings or network look like, as codes by kind, such as `device`, `network` or `settings`; at most 8 kinds. Send hashes, not addresses. A pool with `integrity` compares new accounts with older ones by them; all others drop them. Ratings do not use them.';
