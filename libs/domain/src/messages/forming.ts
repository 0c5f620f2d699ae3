import { entry } from './entry.js';

const failed =
  'because of an error of the coordinator, which is in its log. You are out of the queue: queue again, without a penalty.';

/** Why a match or a seat was refused, or who has it. */
export const forming = {
  'match.not-in-time': entry('No teams were made in time.'),
  'match.players-busy': entry(
    'The match fell apart: {players} {count, plural, one {is} other {are}} still in another match.',
    { players: ['bob'], count: 1 },
  ),
  /** `detail`: the solver's explanation. */
  'match.unsolvable': entry('{detail}', { detail: 'There are 3 players; two teams of 2 need 4.' }),
  'match.ratings-changed': entry(
    'The match fell apart: ratings changed while it was made, and the queue’s rules do not allow it with the new ones.',
  ),
  'match.failed': entry(`Your match could not be made ${failed}`),
  'seat.given': entry('A seat in a running match is yours; its server is told to let you in.'),
  'seat.gone': entry('The seat was gone.'),
  'seat.ratings-changed': entry(
    'Ratings changed while you were seated, and the queue’s rules do not allow the teams with the new ones.',
  ),
  'seat.players-busy': entry(
    'There was no coming into the match: {players} {count, plural, one {is} other {are}} still in another.',
    { players: ['bob'], count: 1 },
  ),
  'seat.failed': entry(`You could not be seated in the match ${failed}`),
};
