import { age } from '@muster/command-line/terminal/age';
import { moment } from '@muster/command-line/terminal/moment';
import { factsOf, tableOf } from '../calls/answers.js';
import { call, type Row } from '../calls/call.js';

const returnWaiting = [
  { waiting: 'returned' },
  'end the tickets that wait, with the message; without it they keep their places',
] as const;
const pausing = { flags: { 'return-waiting': returnWaiting } } as const;

const figures = ['waiting', 'accepted', 'matched', 'matchMs', 'teamGap', 'favouriteLead'] as const;
const ends = ['cancelled', 'expired', 'failed'] as const;

/** Tickets, the queues that they wait in, and who may not queue. */
export const queueRows: readonly Row[] = [
  call('queues list', 'listQueues', '', {
    about: 'List queues, and which are paused.',
    table: { queues: ['name', 'mode', 'teams', 'teamSize', ['rules', ({ version }) => version], 'paused'] },
  }),
  call('queues waiting', 'listWaiting', '5v5', {
    table: { waiting: ['ticketId', 'players', 'waitedMs', 'skill', 'rule', 'why'] },
  }),
  call('statistics', 'readStatistics', '--from -24h', {
    help: 'Of one queue, each step of the time has a line. Times to match, gaps and leads are right to within 10 %.',
    arguments: ['queue'],
    says: ({ queues, realm }, { given, ink }) => [
      ...tableOf(
        queues.flatMap(({ queue, points, total }) => [
          ...(given.queue === undefined ? [] : points.map((point) => ({ ...point, what: moment(point.at) }))),
          { ...total, what: given.queue === undefined ? queue : 'total' },
        ]),
        ['what', ...figures, ...ends],
        ink,
      ),
      '',
      ...factsOf(realm.total, ink),
    ],
  }),
  call('queues pause', 'pauseQueue', '5v5 --message "Back at noon." --until 2h', pausing),
  call('queues resume', 'resumeQueue', '5v5'),
  call('maintenance show', 'readMaintenance', ''),
  call('maintenance begin', 'announceMaintenance', '--message "New servers." --at 24h --until 25h', {
    ...pausing,
    names: { startsAt: 'at' },
  }),
  call('maintenance end', 'endMaintenance', ''),
  call('rules versions', 'listRules', '5v5', {
    without: ['version'],
    table: {
      versions: ['version', ['since', ({ createdAt }) => new Date(createdAt)], 'appliesTo', 'why'],
    },
  }),
  call('tickets list', 'listTickets', '--queue 5v5 --state waiting --older-than 3m', {
    table: {
      tickets: [
        'ticketId',
        'queue',
        'state',
        ['age', ({ enqueuedAt }) => age(Date.now() - enqueuedAt)],
        'players',
        'reason',
      ],
    },
  }),
  call('tickets show', 'readTicket', 'tkt_x7Yc0p2n', {
    about: 'Show one ticket, and why it waits.',
    without: ['after', 'waitSeconds'],
  }),
  call('tickets cancel', 'cancelTicketAs', 'tkt_x7Yc0p2n --reason "the tournament begins"'),
  call('bans list', 'listBans', '', {
    table: { bans: ['playerId', ['until', ({ ban }) => ban?.until], ['reason', ({ ban }) => ban?.reason]] },
  }),
  call('bans set', 'banPlayer', 'alice --until 72h --reason "insults in chat"'),
  call('bans lift', 'liftBan', 'alice'),
  call('penalties list', 'readPenalties', 'alice', {
    table: {
      penalties: ['penaltyId', 'kind', 'queue', 'matchId', 'at', 'forgivenAt', 'liftedAt', 'liftedReason'],
    },
  }),
  call('penalties forgive', 'forgivePenalties', '--from -2h --to -1h --region eu --reason "an outage"'),
  call('penalties lift', 'forgivePenalty', 'alice pen_4fQ2c0de'),
  call('penalties impose', 'imposePenalty', 'alice pen_4fQ2c0de'),
];
