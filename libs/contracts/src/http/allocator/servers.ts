import {
  BuildName,
  CoordinatorId,
  Label,
  labelNamePattern,
  numberFrom,
  plainText,
  notPlain,
  PlayerId,
  RegionName,
  ServerId,
} from '@muster/domain/schemas';
import { z } from 'zod';
import { Text } from '../operator-words.js';
import { Habits, habitsAre } from '../habits.js';
import { Cursor } from '../pages.js';
import { PlayersAdded, sessionPlayerFacts, ticketAttributes } from './backfills.js';
import { BalanceOrder } from '../assignment/live-sessions.js';
import { MessageViews } from '../../messages/message-views.js';
import { numberInUrl, wholeInUrl } from '../../query-numbers.js';
import { EpochMs } from '../../times.js';

const Host = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9.:[\]-]+$/, 'must be a host name or an address');
const Port = z.number().int().min(1).max(65_535);

/** The values of a label: one, or several. */
const LabelValues = z.union([Label, z.array(Label).min(1).max(200)]);
const Labels = z
  .record(
    z
      .string()
      .regex(
        labelNamePattern,
        'must begin with a letter and hold only small letters, digits and - (32 at most)',
      ),
    LabelValues,
  )
  .refine((labels) => Object.keys(labels).length <= 16, 'at most 16 labels');

export const RegisterServer = z
  .strictObject({
    serverId: ServerId,
    region: RegionName,
    build: BuildName,
    host: Host,
    port: Port,
    slots: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .meta({ description: 'Number of sessions that it can host at once.' }),
    labels: Labels.optional().meta({
      description:
        'What the server says of itself. `modes` and `maps` list what it can play; without them it plays all. Queues may demand the others. Give equal labels to servers of one class.',
    }),
    resume: z.array(CoordinatorId).max(1_000).default([]).meta({
      description: 'Sessions of an earlier registration that still run; its other sessions are lost.',
    }),
    allocation: z
      .string()
      .regex(/^alc_[0-9a-f]{32}$/, 'must be the id of an allocation, such as alc_ and 32 hexadecimal digits')
      .optional()
      .meta({
        description:
          'The allocation that this server was started or taken for. If it is over or another server has it, the server is not registered and must shut down.',
      }),
  })
  .meta({ id: 'RegisterServer' });
export type RegisterServer = z.infer<typeof RegisterServer>;

export const ServerRegistered = z
  .object({
    serverId: ServerId,
    serverToken: z.string().meta({ description: 'Bearer token for all other calls of this server.' }),
    serverTokenExpiresAt: EpochMs.meta({
      description:
        'When the token expires. Heartbeats of the second half of its life are answered with a new one; without it, register again.',
    }),
    heartbeatSeconds: z.number().meta({ description: 'Interval between heartbeats.' }),
    silenceSeconds: z.number().meta({ description: 'Silence after which a server is lost.' }),
    resumed: z.array(CoordinatorId),
  })
  .meta({ id: 'ServerRegistered' });

export const Heartbeat = z
  .strictObject({
    cpuLoad: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .meta({ description: 'Share of the processor in use, 0 to 1.' }),
    tick: z
      .strictObject({
        rate: z
          .number()
          .positive()
          .max(1_000)
          .meta({ description: 'Ticks a second that the server is to run.' }),
        p95Ms: z.number().min(0).max(60_000).meta({
          description: 'Time that 95 % of the ticks since the last heartbeat stayed within, in milliseconds.',
        }),
      })
      .optional()
      .meta({
        description: 'The health of the game’s ticks; leave it out when the server does not measure it.',
      }),
    sessions: z.array(CoordinatorId).max(1_000).optional().meta({
      description:
        'Sessions that run or whose result is not reported yet. A session that no heartbeat has named for silenceSeconds is lost.',
    }),
  })
  .meta({ id: 'Heartbeat' });
export const HeartbeatAnswer = z
  .object({ state: z.enum(['ready', 'draining', 'lost', 'left']), slotsInUse: z.number().int() })
  .meta({ id: 'HeartbeatAnswer' });
export const HeartbeatRecorded = HeartbeatAnswer.extend({
  serverToken: z.string().optional().meta({
    description:
      'A new token in place of the present one, which is in the second half of its life. Absent: the present one will do.',
  }),
}).meta({ id: 'HeartbeatRecorded' });
export type HeartbeatRecorded = z.infer<typeof HeartbeatRecorded>;

/** The last possible number of a command: a Postgres `integer`. */
const lastSeq = 2_147_483_647;
export const ServerParams = z.strictObject({ serverId: ServerId });
export const TakeCommands = z.strictObject({
  after: wholeInUrl(0, lastSeq).default(0).meta({ description: 'The last received `seq`.' }),
  waitSeconds: numberInUrl(numberFrom(0, 30)).default(20),
});

export const SessionOrder = z
  .object({
    matchId: CoordinatorId,
    queue: z.string(),
    mode: z.string(),
    teams: z.array(z.array(PlayerId)),
    map: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'The map; null when the queue names no maps.' }),
    bots: z.array(z.number().int().min(0)).default([]).meta({ description: 'Bots per team; empty: none.' }),
    roles: z
      .record(PlayerId, z.string())
      .default({})
      .meta({ description: 'The role of each player who fills one.' }),
    boosted: z
      .array(z.object({ playerId: PlayerId, division: z.string(), higher: z.boolean() }))
      .optional()
      .meta({
        description:
          'Players with a booster, and the division that they play in; `higher`: above their own, as an apprentice. Absent: nobody.',
      }),
    sides: z
      .array(z.string())
      .optional()
      .meta({ description: 'The side that each team plays; absent: the queue names none.' }),
    ...sessionPlayerFacts,
    ...ticketAttributes,
    traceparent: z.string().optional().meta({
      description:
        'The trace of the match (W3C Trace Context), for the server’s own spans and as a header of its calls. Absent: it is not traced.',
    }),
    answerBy: EpochMs,
  })
  .meta({ id: 'SessionOrder' });
export type SessionOrder = z.infer<typeof SessionOrder>;

export const CommandView = z
  .object({
    seq: z.number().int(),
    kind: z.enum(['create-session', 'add-players', 'balance', 'end-session']),
    sessionId: CoordinatorId,
    session: SessionOrder.optional(),
    added: PlayersAdded.optional().meta({
      description:
        'For `add-players`: the players who join the running session. Admit them, then answer `done`.',
    }),
    balance: BalanceOrder.optional().meta({
      description:
        'For `balance`: the players who change team. Move them, report `team` events, then answer `done`.',
    }),
    reason: z.string().optional(),
    reasonMessages: MessageViews,
  })
  .meta({ id: 'Command' });
export type CommandView = z.infer<typeof CommandView>;
export const CommandList = z.object({ commands: z.array(CommandView) }).meta({ id: 'CommandList' });

export const CommandParams = z.strictObject({ serverId: ServerId, seq: wholeInUrl(1, lastSeq) });
export const AnswerCommand = z
  .discriminatedUnion('status', [
    z.strictObject({
      status: z.literal('done'),
      host: Host.optional().meta({
        description: 'Where players connect, if different from the server’s address.',
      }),
      port: Port.optional(),
    }),
    z.strictObject({
      status: z.literal('refused'),
      reason: Text,
    }),
  ])
  .meta({ id: 'AnswerCommand' });
export type AnswerCommand = z.infer<typeof AnswerCommand>;
export const CommandAnswered = z.object({ accepted: z.boolean() }).meta({ id: 'CommandAnswered' });

export const ServerView = z
  .object({
    serverId: ServerId,
    region: RegionName,
    build: BuildName,
    fleet: z.string().meta({ description: 'The fleet of the key that registered it.' }),
    host: z.string(),
    port: z.number().int(),
    slots: z.number().int(),
    slotsInUse: z.number().int(),
    labels: z
      .record(z.string(), z.array(z.string()))
      .meta({ description: 'What the server says of itself.' }),
    state: z.enum(['ready', 'draining', 'lost', 'left']),
    cpuLoad: z.number(),
    tickLoad: z.number().nullable().meta({
      description: 'Share of a tick’s time that the server computes; null when it does not report its ticks.',
    }),
    overloaded: z.boolean().meta({ description: 'Above a limit of load: it gets no match.' }),
    heartbeatAt: EpochMs.meta({ description: 'When the server was last heard.' }),
    silent: z.boolean().meta({
      description:
        'The server is ready or drains, and was not heard for silenceSeconds although others could be: it gets no match.',
    }),
  })
  .meta({ id: 'Server' });
export type ServerView = z.infer<typeof ServerView>;
/** The servers of a region, of a build, or of a build in a region. */
export const SomeServers = z
  .strictObject({ region: RegionName.optional(), build: BuildName.optional() })
  .refine(({ region, build }) => region !== undefined || build !== undefined, {
    path: ['region'],
    message: 'is missing; give a `region`, a `build`, or both',
  })
  .meta({ id: 'SomeServers' });
export type SomeServers = z.infer<typeof SomeServers>;
export const ServersChanged = z
  .object({ changed: z.number().int().meta({ description: 'Servers that the call changed.' }) })
  .meta({ id: 'ServersChanged' });

export const PageOfServers = z.strictObject({
  cursor: Cursor,
  limit: wholeInUrl(1, 1_000).default(500),
});
export const ServerList = z
  .object({
    servers: z.array(ServerView),
    next: z.string().nullable().meta({ description: 'The `cursor` of the next page; null after the last.' }),
  })
  .meta({ id: 'ServerList' });

const Sides = z.array(Label).min(2).max(100);

/** Ranks by team: 1 is best, equal ranks are a tie. */
const Ranks = z.array(z.number().int().min(1).max(1_000)).min(2).max(1_000);

export const SessionResult = z
  .strictObject({
    winner: z.number().int().min(0).max(999).nullable().optional().meta({
      description: 'Index of the winning team, or null for a draw. Give either this or `ranks`.',
    }),
    ranks: Ranks.optional().meta({ description: 'Rank of each team, 1 is best, equal ranks are a tie.' }),
    scores: z.array(z.number()).max(1_000).optional(),
    sides: Sides.optional().meta({
      description: 'The side of each team: a faction, home or away. Default: those of the queue.',
    }),
    map: Label.optional().meta({ description: 'Default: the map that the order names.' }),
    venue: Label.optional(),
    players: z
      .array(
        z.strictObject({
          playerId: PlayerId,
          joinedAt: EpochMs.optional(),
          leftAt: EpochMs.optional(),
          role: Label.optional().meta({
            description: 'The role that the player had. Default: the one that the order names.',
          }),
          stats: z
            .record(z.string().max(64).regex(plainText, notPlain), z.union([z.number(), Label]))
            .optional()
            .meta({
              description:
                'What the game counts of the player, by name: numbers, and categories as text. Models use some names, as numbers; beside these there may be 32 for the placement of newcomers, of at most 40 letters.',
            }),
          habits: Habits.optional().meta({ description: habitsAre }),
        }),
      )
      .max(1_000)
      .optional(),
    leavers: z.array(PlayerId).max(1_000).optional().meta({
      description:
        'Players who left for good before the end. The result counts for them as for all others, and the queue’s rules penalise them.',
    }),
    noShows: z.array(PlayerId).max(1_000).optional().meta({
      description:
        'Players who never connected to a match that was played without them. They are penalised by the queue’s rules and not rated, and a team to which nobody came is left out of the rating; one who has playing time played and left.',
    }),
  })
  .refine((body) => (body.winner === undefined) !== (body.ranks === undefined), {
    message: 'give either `winner` or `ranks`',
  })
  .meta({ id: 'SessionResult' });
export type SessionResult = z.infer<typeof SessionResult>;
export const SessionParams = z.strictObject({ sessionId: CoordinatorId });
export const ResultAccepted = z
  .object({
    matchId: CoordinatorId,
    counted: z.boolean().meta({ description: 'False when the same report was counted before.' }),
    unrated: z.boolean().optional().meta({
      description:
        'True when fewer than two teams had a player who came: nobody is rated, and the match ends `void`. No-shows and leavers are penalised all the same.',
    }),
  })
  .meta({ id: 'ResultAccepted' });
export type ResultAccepted = z.infer<typeof ResultAccepted>;

export const AbandonSession = z
  .strictObject({
    reason: Text.meta({ description: 'The reason, as a text for players.' }),
    noShows: z.array(PlayerId).max(1_000).default([]).meta({ description: 'Players who never connected.' }),
    leavers: z.array(PlayerId).max(1_000).default([]).meta({ description: 'Players who left for good.' }),
    remake: z.boolean().default(false).meta({
      description:
        'Return the tickets without any of these players to their old place in the queue, for another match.',
    }),
  })
  .refine(({ noShows, leavers }) => !noShows.some((playerId) => leavers.includes(playerId)), {
    message: 'whoever never connected cannot have left: name a player once',
  })
  .meta({ id: 'AbandonSession' });
export type AbandonSession = z.infer<typeof AbandonSession>;
export const FinishPlayers = z
  .strictObject({
    playerIds: z.array(PlayerId).min(1).max(1_000).meta({
      description: 'Players of the match who are finished in it: they may queue again, and are no leavers.',
    }),
  })
  .meta({ id: 'FinishPlayers' });
export const PlayersFinished = z.object({ matchId: CoordinatorId }).meta({ id: 'PlayersFinished' });
export const SessionAbandoned = z
  .object({
    matchId: CoordinatorId,
    counted: z.boolean().meta({ description: 'False when the session was abandoned before.' }),
  })
  .meta({ id: 'SessionAbandoned' });

export const ConflictDecision = z.enum(['kept', 'other', 'void']).meta({
  description:
    '`kept`: the result that counted stays. `other`: the match is void, and the other report counts as a match of its own, `countsAs`. `void`: the match counts for nothing, and its penalties are lifted.',
});
export type ConflictDecision = z.infer<typeof ConflictDecision>;
export const DecideConflict = z
  .strictObject({
    as: ConflictDecision,
    conflictId: z.number().int().positive().optional().meta({
      description: 'With `other`: the report that is to count. Needed when there are several.',
    }),
    reason: Text,
  })
  .meta({ id: 'DecideConflict' });
export const ConflictDecided = z
  .object({
    matchId: CoordinatorId,
    decision: ConflictDecision.meta({
      description:
        'The decision in force: `other` takes the place of `kept`, and `void` that of both; never the reverse.',
    }),
    countsAs: CoordinatorId.nullable().meta({ description: 'With `other`: the match that counts instead.' }),
  })
  .meta({ id: 'ConflictDecided' });

export const ConflictList = z
  .object({
    conflicts: z.array(
      z.object({
        conflictId: z.number().int(),
        matchId: z.string(),
        reportedBy: z.string(),
        reason: z.string(),
        reasonMessages: MessageViews,
        receivedAt: EpochMs,
        body: z.unknown(),
        decision: z
          .object({ as: ConflictDecision, at: EpochMs, by: z.string(), reason: z.string() })
          .nullable()
          .optional()
          .meta({ description: 'What an operator decided; null: nothing yet.' }),
      }),
    ),
  })
  .meta({ id: 'ConflictList' });
export const Jwks = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).meta({ id: 'Jwks' });
