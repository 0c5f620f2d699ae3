import { agoWords, counted, numberWords, percentWords } from '../../ui/values/words.js';
import type { Flaw, Seen } from './flaw.js';

/** A receiver that has not taken an event for so long is late. */
const lateMs = 3_600_000;
/** A pool whose chances are for sure stretched or shrunk by more predicts badly; over so many matches. */
const sound = { least: 0.5, most: 2, matches: 500 };

/** Dead letters, and results that wait for a decision. */
export function flawsOfWork({ jobs = [], conflicts = [] }: Seen): Flaw[] {
  const open = conflicts.filter(({ decision }) => !decision).length;
  return [
    ...jobs.flatMap(({ jobQueue, dead }): Flaw[] =>
      dead === 0
        ? []
        : [
            {
              key: `dead ${jobQueue}`,
              grade: 'critical',
              what: `${counted(dead, 'job')} of ${jobQueue} used up ${dead === 1 ? 'its' : 'their'} attempts.`,
              players: 'A match may have no teams, server or rating.',
              mend: 'Each dead letter has the error of its last attempt. Remove the cause, then retry.',
              place: { to: '/jobs', search: { queue: jobQueue } },
              placeName: `Dead letters of ${jobQueue}`,
            },
          ],
    ),
    ...(open === 0
      ? []
      : [
          {
            key: 'conflicts',
            grade: 'warning',
            what: `${counted(open, 'report')} ${open === 1 ? 'contradicts a result' : 'contradict results'} that counted.`,
            players: 'Players may be rated by a wrong result.',
            mend: 'The first report counts until an operator decides. If many are from one server, see its log.',
            place: { to: '/conflicts' },
            placeName: 'Decide them',
          } as const,
        ]),
  ];
}

/** Receivers of events that take none. */
export function flawsOfWebhooks({ webhooks = [], now }: Seen): Flaw[] {
  return webhooks.flatMap(({ webhookId, url, note, dead, oldestOpenAt, pausedReason }): Flaw[] => {
    const name = note === '' ? url : note;
    const what =
      pausedReason !== null
        ? `Webhook ${name} is paused: ${pausedReason}`
        : dead > 0
          ? `${counted(dead, 'event')} did not reach webhook ${name} within a day of attempts.`
          : oldestOpenAt !== null && now - oldestOpenAt > lateMs
            ? `Webhook ${name} has not taken an event that happened ${agoWords(oldestOpenAt, now)}.`
            : null;
    if (what === null) return [];
    return [
      {
        key: `webhook ${webhookId}`,
        grade: 'warning',
        what,
        players: 'Nothing, unless the game relies on the receiver.',
        mend: 'Fix the receiver; its last responses say why. Waiting events follow by themselves; retry dead letters yourself.',
        place: { to: '/webhooks/$webhookId', params: { webhookId } },
        placeName: 'Its deliveries',
      },
    ];
  });
}

/** Pools that are rebuilt, could not be, or predict badly. */
export function flawsOfPools({ pools = [], rebuilds = [] }: Seen): Flaw[] {
  const link = (pool: string) =>
    ({ place: { to: '/pools/$pool', params: { pool } }, placeName: `Pool ${pool}` }) as const;
  return [
    ...rebuilds.flatMap(({ pool, state, done, total, error }): Flaw[] => {
      if (state === 'running')
        return [
          {
            key: `rebuild ${pool}`,
            grade: 'notice',
            what: `Pool ${pool} is being rebuilt: ${percentWords(total === 0 ? 0 : Math.min(1, done / total))} of ${numberWords(total)} events.`,
            players: 'Nothing: the ratings before stay in use until it is done.',
            mend: 'It continues by itself, also after a restart.',
            ...link(pool),
          },
        ];
      if (state === 'failed')
        return [
          {
            key: `rebuild ${pool}`,
            grade: 'warning',
            what: `The last rebuild of pool ${pool} failed${error === null ? '.' : `: ${error}`}`,
            players: 'Ratings are those from before it.',
            mend: 'Correct what the error names, and start the rebuild again.',
            ...link(pool),
          },
        ];
      return [];
    }),
    ...pools.flatMap(({ name, calibration: { scale, matches } }): Flaw[] =>
      matches < sound.matches ||
      (scale.mean + 2 * scale.sd >= sound.least && scale.mean - 2 * scale.sd <= sound.most)
        ? []
        : [
            {
              key: `calibration ${name}`,
              grade: 'warning',
              what: `The predictions of pool ${name} are far too ${scale.mean < 1 ? 'confident' : 'cautious'}: its scale is ${numberWords(scale.mean)}, where 1 is right.`,
              players: 'Players get uneven matches.',
              mend: 'muster pools tune searches for better parameters. After a sudden change, check whether the game changed or results are wrong.',
              ...link(name),
            },
          ],
    ),
  ];
}
