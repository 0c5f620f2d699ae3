import type { QueueMessages } from '@muster/domain';
import type { Catalogue } from './catalogue.js';

const who = '{you, select, true {you} other {{playerId}}}';
const missing = { you: false, playerId: 'bob' };

export const queue: Catalogue<QueueMessages> = {
  'entry.verified': { text: `${who} must have a verified account`, example: missing },
  'entry.play-minutes': {
    text: `${who} must have played {minutes} minutes`,
    example: { ...missing, minutes: 120 },
  },
  'entry.account-days': {
    text: `${who} must have an account that is {days} days old`,
    example: { ...missing, days: 7 },
  },
  'entry.matches': {
    text: `${who} must have {matches} rated matches in the queue’s pool`,
    example: { ...missing, matches: 10 },
  },
  'rules.built-in': { text: 'The built-in queues.', example: {} },
  'rules.from-file': {
    text: 'From {file} (QUEUES_FILE), when the queue was made.',
    example: { file: 'queues.yaml' },
  },
  'stream.gave-way': { text: 'you have opened another stream above your limit', example: {} },
  'stream.process-ends': { text: 'the process ends', example: {} },
  'stream.unreadable': { text: 'the ticket could not be read', example: {} },
};
