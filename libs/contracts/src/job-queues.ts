/** Every durable job, by the name of its queue. The job id is the match id with the event. */
export const jobQueues = {
  /** queue → assignment: form teams of these tickets. */
  formTeams: 'form-teams',
  /** assignment → allocator: find a server. */
  placeMatch: 'place-match',
  /** allocator → rating: rate an ended match. */
  rateMatch: 'rate-match',
  /** any service → queue: the update of a match for its tickets. */
  matchUpdates: 'ticket-news',
  /** allocator → queue: players who did not come to a match, or left it. */
  conduct: 'conduct',
  /** allocator or rating → queue: penalties that do not count (any more). */
  liftedPenalties: 'lifted-penalties',
  /** rating → queue: a match with newcomers in it was rated, for their calibration. */
  matchRated: 'match-rated',
  /** rating → queue: ratings changed, for the tickets that wait with them. */
  ratingsChanged: 'ratings-changed',
  /** rating → rating: a newcomer has played enough matches to be placed by their stats. */
  placeNewcomer: 'place-newcomer',
  /** allocator → queue: a backfill was opened, changed or closed. */
  backfills: 'backfills',
  /** queue → assignment: seat this ticket in a running match. */
  fillSeat: 'fill-seat',
  /** assignment → allocator: a ticket took seats of a running match. */
  seatFilled: 'seat-filled',
  /** assignment → allocator: players of a running session have to change team. */
  balanceSession: 'balance-session',
} as const;
export type JobQueue = (typeof jobQueues)[keyof typeof jobQueues];
