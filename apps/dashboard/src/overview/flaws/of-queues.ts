import type { AnswerOf } from '@muster/contracts';
import { latenessOf } from '@muster/matchmaking';
import { agoWords, counted, durationWords, numberWords, percentWords } from '../../ui/values/words.js';
import type { QueueLately } from '../lately.js';
import type { Oldest } from '../look.js';
import type { Flaw, Seen } from './flaw.js';

type Rules = AnswerOf<'listQueues'>['queues'][number];

/** More failed ones of those that ended are too many. */
const mostFailed = 0.02;
/** A matcher that works matches some within this time, while more than twice as many wait as a match needs. */
const unmatchedMs = 120_000;
/** Rules that keep tickets apart when too few players are there: that is no fault. */
const tooFew = new Set(['players', 'platforms', 'regions']);

/** Maintenance, and pauses, lateness and failures of each queue. */
export function flawsOfQueues({ queues, lately = [], oldest, now }: Seen): Flaw[] {
  if (!queues) return [];
  const { maintenance } = queues;
  const isClosed = maintenance !== undefined && maintenance.startsAt <= now;
  return [
    ...(maintenance ? [flawOfMaintenance(maintenance, now)] : []),
    ...queues.queues.flatMap((rules) => {
      const its = lately.find(({ queue }) => queue === rules.name);
      const isPaused = isClosed || rules.paused !== undefined;
      return [
        ...pauseOf(rules, now),
        ...(its && !isPaused ? latenessFlaws(rules, its, oldest?.get(rules.name), now) : []),
        ...(its ? failureOf(its) : []),
      ];
    }),
  ];
}

const untilWords = (until: number | null, now: number): string =>
  until === null ? 'until an operator ends it' : `and ends ${agoWords(until, now)}`;

function flawOfMaintenance(
  { startsAt, until, message }: NonNullable<AnswerOf<'listQueues'>['maintenance']>,
  now: number,
): Flaw {
  const isBegun = startsAt <= now;
  return {
    key: 'maintenance',
    grade: 'notice',
    what: isBegun
      ? `Maintenance: no queue takes tickets, ${untilWords(until, now)}.`
      : `Maintenance begins ${agoWords(startsAt, now)}: no queue takes tickets from then on.`,
    players: `Players read: “${message}”`,
    mend: isBegun ? 'End it when the work is done.' : 'It can be withdrawn or moved.',
    place: { to: '/queues' },
    placeName: 'Queues',
  };
}

function pauseOf({ name, paused }: Rules, now: number): Flaw[] {
  if (!paused) return [];
  return [
    {
      key: `paused ${name}`,
      grade: 'notice',
      what: `Queue ${name} is paused, ${untilWords(paused.until, now)}.`,
      players: `Players read: “${paused.message}”`,
      mend: 'Resume it when it may take tickets again.',
      place: { to: '/queues/$queue', params: { queue: name } },
      placeName: `Queue ${name}`,
    },
  ];
}

function latenessFlaws(rules: Rules, its: QueueLately, oldest: Oldest | undefined, now: number): Flaw[] {
  const { lateSeconds, leastPlayers } = latenessOf(rules);
  const waiting = its.waiting ?? 0;
  const waitedMs = oldest ? now - oldest.enqueuedAt : 0;
  // Whoever has waited longest lacks players: the others are too few for them.
  if (!oldest || tooFew.has(oldest.rule ?? '')) return [];
  const more = {
    players: 'Players wait until their tickets expire.',
    mend: 'The page of the queue explains each ticket. If rules keep players apart, widen those rules. If no match is formed although they fit, no matcher is running: see the log of the queue service.',
    place: { to: '/queues/$queue', params: { queue: rules.name } },
    placeName: `Who waits in ${rules.name}`,
  } as const;
  if (waitedMs > 1_000 * lateSeconds && waiting >= leastPlayers)
    return [
      {
        key: `late ${rules.name}`,
        grade: 'warning',
        what: `A ticket of queue ${rules.name} has waited for ${durationWords(waitedMs)}, though ${numberWords(waiting)} wait and the rules widen no further.`,
        ...more,
      },
    ];
  if (waitedMs > unmatchedMs && waiting >= 2 * leastPlayers && its.matchedLately === 0)
    return [
      {
        key: `unmatched ${rules.name}`,
        grade: 'critical',
        what: `Nothing is matched in queue ${rules.name} while ${counted(waiting, 'ticket')} wait, the longest for ${durationWords(waitedMs)}.`,
        ...more,
      },
    ];
  return [];
}

function failureOf({ queue, total }: QueueLately): Flaw[] {
  const ended = total.assigned + total.cancelled + total.expired + total.failed;
  if (total.failed === 0 || total.failed <= mostFailed * ended) return [];
  return [
    {
      key: `failed ${queue}`,
      grade: 'critical',
      what: `${percentWords(total.failed / ended)} of the tickets of queue ${queue} that ended in the last quarter of an hour failed: ${numberWords(total.failed)} of ${numberWords(ended)}.`,
      players: 'Players lose a match that they were offered, and must queue again.',
      mend: 'Each abandoned match has its reason. Dead letters of form-teams fail tickets, too.',
      place: { to: '/matches', search: { state: 'abandoned' } },
      placeName: 'Abandoned matches',
    },
  ];
}
