import { entry } from './entry.js';

/** A requirement of a queue that a player does not meet. `you`: the player is addressed directly. */
interface Missing {
  you: boolean;
  playerId: string;
}

const who = '{you, select, true {you} other {{playerId}}}';
const missing = { you: false, playerId: 'bob' };

/** Entry requirements of queues, the source of rules, and why a stream of ticket events ends. */
export const queue = {
  'entry.verified': entry<Missing>(`${who} must have a verified account`, missing),
  'entry.play-minutes': entry<Missing & { minutes: number }>(`${who} must have played {minutes} minutes`, {
    ...missing,
    minutes: 120,
  }),
  'entry.account-days': entry<Missing & { days: number }>(
    `${who} must have an account that is {days} days old`,
    { ...missing, days: 7 },
  ),
  'entry.matches': entry<Missing & { matches: number }>(
    `${who} must have {matches} rated matches in the queue’s pool`,
    { ...missing, matches: 10 },
  ),
  'entry.entitlement': entry<Missing & { entitlement: string }>(`${who} must have {entitlement}`, {
    ...missing,
    entitlement: 'season-pass',
  }),
  'rules.built-in': entry('The built-in queues.'),
  'rules.from-file': entry('From {file} (QUEUES_FILE), when the queue was made.', { file: 'queues.yaml' }),
  'stream.gave-way': entry('you have opened another stream above your limit'),
  'stream.process-ends': entry('the process ends'),
  'stream.unreadable': entry('the ticket could not be read'),
};
