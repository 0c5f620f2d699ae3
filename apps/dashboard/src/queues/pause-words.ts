import type { AnswerOf } from '@muster/contracts';
import { timeWords } from '../ui/values/words.js';

export type Pause = NonNullable<AnswerOf<'readMaintenance'>['maintenance']>;

/** What becomes of tickets that wait, and when the pause ends. */
export function pauseWords({ waiting, until }: Pick<Pause, 'waiting' | 'until'>): string {
  const tickets =
    waiting === 'kept'
      ? 'Tickets that wait keep their places.'
      : 'Tickets that waited ended with this message.';
  const end =
    until === null ? 'It lasts until somebody ends it.' : `It ends by itself at ${timeWords(until)}.`;
  return `${tickets} ${end}`;
}

/** Whether maintenance has begun; before that it is announced. */
export const isInForce = (pause: Pause | undefined): boolean =>
  pause !== undefined && pause.startsAt <= Date.now();
