import type { AnswerOf, BodyOf } from '@muster/contracts';
import { Argument, Option } from 'commander';
import type { Ask } from '@muster/command-line/operator/connection';
import { factsOf, tableOf } from '../calls/answers.js';
import { call, composed, type Given, type Row } from '../calls/call.js';
import type { Values } from '../calls/take.js';
import { actOnDead } from '../jobs/dead.js';

const keepPenalties = {
  'keep-penalties': [{ penalties: 'keep' }, 'leave no-shows and leavers of the match penalised'],
} as const;
const some = {
  about:
    'Drain a server, or those of a --region or a --build, or end that: no new sessions, running ones continue.',
  extra: [new Argument('[server]', 'the id of a server')],
} as const;
const cancel = (ask: Ask, { matchId, ...body }: Given<'voidMatch'>): Promise<AnswerOf<'voidMatch'>> =>
  ask((operator) => operator.cancelMatch(matchId, body));
const dead = { names: { jobQueue: 'queue' } } as const;
const allDead = {
  ...dead,
  optional: ['jobId'],
  extra: [new Option('--all', 'every dead letter of the queue')],
} as const;

/** Servers, the matches and sessions on them, and jobs between services. */
export const matchRows: readonly Row[] = [
  call('servers list', 'listServers', '--limit 20', {
    table: {
      servers: [
        'serverId',
        'state',
        'silent',
        'overloaded',
        'heartbeatAt',
        'slotsInUse',
        'slots',
        'region',
        'build',
      ],
    },
  }),
  call('servers capacity', 'readCapacity', '', {
    table: {
      places: ['region', 'build', 'servers', 'slots', 'used', 'free', 'overloadedSlots', 'waitingMatches'],
    },
  }),
  composed('servers drain', 'drainServers', 'eu-1', changing('drainServer'), some),
  composed('servers undrain', 'undrainServers', '--region eu', changing('undrainServer'), some),
  call('servers remove', 'leaveServer', 'eu-9'),
  call('sessions list', 'listMatches', '--server eu-1', {
    about: 'List sessions that are played on servers, newest first.',
    fixed: { state: 'placed' },
    table: { matches: ['sessionId', 'matchId', 'serverId', 'queue', 'region', 'map', 'placedAt'] },
  }),
  call('matches list', 'listMatches', '--player alice --limit 5', {
    about: 'List matches, newest first.',
    table: { matches: ['matchId', 'queue', 'state', 'formedAt', 'endedAt', 'serverId', 'closeReason'] },
  }),
  call('matches show', 'readMatch', 'mat_x7Yc0p2n', {
    about: 'Show a match: who played in which team, why these teams, and what came of it.',
    says: ({ players, balance: _moves, split: _proof, ...match }, { ink }) => [
      ...factsOf(match, ink),
      '',
      ...tableOf(players, ['team', 'playerId', 'name', 'role', 'waitedMs', 'before', 'after', 'leftAt'], ink),
    ],
  }),
  call('matches end', 'endMatch', 'mat_x7Yc0p2n --reason "the server hangs"', {
    flags: { 'as-void': [{ as: 'void' }, 'end it as void instead of abandoned'], ...keepPenalties },
  }),
  composed('matches void', 'voidMatch', 'mat_x7Yc0p2n --reason "a player cheated"', cancel, {
    about: 'Void a match in any state: nobody is rated for it, or nobody is any more.',
    help: `A rated match has affected all players who later met its players, so the pool is rebuilt without it in the background. A match
without a result is ended: its players are free, and its server is told. Penalties of the match are lifted, unless you keep them.`,
    flags: keepPenalties,
  }),
  call('export', 'exportMatches', '--from -24h --format csv'),
  call('conflicts list', 'listConflicts', '', {
    table: { conflicts: ['conflictId', 'matchId', 'receivedAt', 'reportedBy', 'decision', 'reason'] },
  }),
  call('conflicts decide', 'decideConflict', 'mat_x7Yc0p2n --as kept --reason "the replay shows it"'),
  call('jobs queues', 'listJobQueues', '', {
    table: { queues: ['jobQueue', 'waiting', 'active', 'delayed', 'dead'] },
  }),
  call('jobs list', 'listDeadJobs', 'form-teams', {
    ...dead,
    table: { jobs: ['jobId', 'deadAt', 'attempts', 'reason'] },
  }),
  call('jobs show', 'readDeadJob', 'form-teams mat_x7Yc0p2n', dead),
  composed('jobs retry', 'retryDeadJob', 'form-teams --all', actOnDead('retryDeadJob'), allDead),
  composed('jobs drop', 'dropDeadJob', 'form-teams --all', actOnDead('dropDeadJob'), allDead),
];

type Changed = AnswerOf<'drainServers'> | AnswerOf<'drainServer'>;

/** Changes one server, or those of a region or a build. */
function changing(one: 'drainServer' | 'undrainServer') {
  return (ask: Ask, body: BodyOf<'drainServers'>, { server }: Values): Promise<Changed> => {
    if ((server === undefined) === (Object.keys(body).length === 0))
      throw new Error('Name a server, or give --region, --build or both.');
    return ask<Changed>(({ calls }) =>
      typeof server === 'string'
        ? calls[one]({ params: { serverId: server } })
        : calls[`${one}s` as const]({ body }),
    );
  };
}
