import type { FormingMessages } from '@muster/domain';
import type { Catalogue } from './catalogue.js';

const failed =
  'because of an error of the coordinator, which is in its log. You are out of the queue: queue again, without a penalty.';

export const forming: Catalogue<FormingMessages> = {
  'match.not-in-time': { text: 'No teams were made in time.', example: {} },
  'match.players-busy': {
    text: 'The match fell apart: {players} {count, plural, one {is} other {are}} still in another match.',
    example: { players: ['bob'], count: 1 },
  },
  'match.unsolvable': {
    text: '{detail}',
    example: { detail: 'There are 3 players; two teams of 2 need 4.' },
  },
  'match.ratings-changed': {
    text: 'The match fell apart: ratings changed while it was made, and the queue’s rules do not allow it with the new ones.',
    example: {},
  },
  'match.failed': { text: `Your match could not be made ${failed}`, example: {} },
  'seat.given': {
    text: 'A seat in a running match is yours; its server is told to let you in.',
    example: {},
  },
  'seat.gone': { text: 'The seat was gone.', example: {} },
  'seat.ratings-changed': {
    text: 'Ratings changed while you were seated, and the queue’s rules do not allow the teams with the new ones.',
    example: {},
  },
  'seat.players-busy': {
    text: 'There was no coming into the match: {players} {count, plural, one {is} other {are}} still in another.',
    example: { players: ['bob'], count: 1 },
  },
  'seat.failed': { text: `You could not be seated in the match ${failed}`, example: {} },
};
