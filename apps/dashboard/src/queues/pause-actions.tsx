import type { ReactElement } from 'react';
import { useSession } from '../session/session.js';
import { Action, type Field, type Values } from '../ui/action.js';
import { textIn } from '../ui/values/values.js';
import { inputOfIso } from '../ui/values/words.js';
import type { Pause } from './pause-words.js';

/** What is asked before a pause; of one that is there, what it says now. */
export const pauseFields = (now: Pause | undefined, untilSays: string): readonly Field[] => [
  {
    name: 'message',
    label: 'Message',
    kind: 'text',
    description: 'Players read it.',
    ...(now ? { initial: now.message } : {}),
  },
  {
    name: 'waiting',
    label: 'Tickets that wait',
    kind: 'choice',
    initial: now?.waiting ?? 'kept',
    choices: [
      { value: 'kept', label: 'keep their places, and are matched afterwards' },
      { value: 'returned', label: 'end with the message' },
    ],
  },
  {
    name: 'until',
    label: 'Until',
    kind: 'time',
    isOptional: true,
    description: untilSays,
    ...(now?.until ? { initial: inputOfIso(new Date(now.until).toISOString()) } : {}),
  },
];

/** A time that may be left out. */
export function timeOf(values: Values, name: string): number | undefined {
  const at = Date.parse(textIn(values, name));
  return Number.isNaN(at) ? undefined : at;
}

/** The part of a request that these fields give. */
export const pauseOf = (values: Values) => ({
  message: textIn(values, 'message'),
  waiting: textIn(values, 'waiting') === 'returned' ? ('returned' as const) : ('kept' as const),
  until: timeOf(values, 'until'),
});

const untilWords =
  'Players are told to come back then. Leave it empty to pause until somebody resumes the queue.';

interface OfQueue {
  readonly queue: string;
  readonly paused: Pause | undefined;
}

/** Pauses a queue, or changes its pause. */
export function PauseAction({ queue, paused }: OfQueue): ReactElement {
  const { operator } = useSession();
  return (
    <Action
      call="pauseQueue"
      label={paused ? 'Change the pause' : 'Pause'}
      title={paused ? `Change the pause of ${queue}` : `Pause ${queue}`}
      text={`${queue} takes no tickets and forms no matches from now on. Matches that were formed go on.`}
      fields={pauseFields(paused, untilWords)}
      send={(values) => operator.pauseQueue(queue, pauseOf(values))}
      done={`${queue} is paused.`}
    />
  );
}

/** Ends the pause of a queue that has one. */
export function ResumeAction({ queue, paused }: OfQueue): ReactElement | null {
  const { operator } = useSession();
  if (!paused) return null;
  return (
    <Action
      call="resumeQueue"
      label="Resume"
      title={`Resume ${queue}`}
      text={`${queue} takes tickets again, and matches those that kept their places.`}
      send={() => operator.resumeQueue(queue)}
      done={`${queue} takes tickets again.`}
    />
  );
}
