import { jobQueues, type JobQueue } from '@muster/contracts';

/** What the jobs of each queue are for, from which service to which. */
const purposes: Readonly<Record<JobQueue, readonly [from: string, to: string, what: string]>> = {
  [jobQueues.formTeams]: ['queue', 'assignment', 'form the teams of a match'],
  [jobQueues.placeMatch]: ['assignment', 'allocator', 'find a server for a match'],
  [jobQueues.rateMatch]: ['allocator', 'rating', 'rate an ended match'],
  [jobQueues.matchUpdates]: ['every service', 'queue', 'tell tickets about their match'],
  [jobQueues.conduct]: ['allocator', 'queue', 'penalise no-shows and leavers'],
  [jobQueues.liftedPenalties]: ['allocator or rating', 'queue', 'lift penalties that do not count'],
  [jobQueues.matchRated]: ['rating', 'queue', 'calibrate newcomers after a match'],
  [jobQueues.ratingsChanged]: ['rating', 'queue', 'renew the ratings of waiting tickets'],
  [jobQueues.placeNewcomer]: ['rating', 'rating', 'place a newcomer by their stats'],
  [jobQueues.backfills]: ['allocator', 'queue', 'open, change or close a backfill'],
  [jobQueues.fillSeat]: ['queue', 'assignment', 'seat a ticket in a running match'],
  [jobQueues.seatFilled]: ['assignment', 'allocator', 'tell a server about a new player'],
  [jobQueues.balanceSession]: ['assignment', 'allocator', 'have players change team'],
};

const isKnown = (queue: string): queue is JobQueue => Object.hasOwn(purposes, queue);

/** In words; empty for a queue of a later release. */
export function purposeOf(queue: string): string {
  if (!isKnown(queue)) return '';
  const [from, to, what] = purposes[queue];
  return `${from} → ${to}: ${what}`;
}

/** The queue whose dead letters are shown: the one of the address, else the one with the most; null: none has any. */
export function shownQueue(
  asked: string | undefined,
  queues: readonly { readonly jobQueue: string; readonly dead: number }[],
): JobQueue | null {
  if (asked !== undefined && isKnown(asked)) return asked;
  const [most] = queues.filter(({ dead }) => dead > 0).toSorted((a, b) => b.dead - a.dead);
  return most && isKnown(most.jobQueue) ? most.jobQueue : null;
}
