import type { PauseView } from '@muster/contracts';
import type { Pause } from '@muster/domain';

/** A pause as callers see it. */
export function pauseViewOf({ message, waiting, startsAt, until }: Pause): PauseView {
  return { message, waiting, startsAt, until };
}
