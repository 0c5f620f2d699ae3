import {
  Offences,
  OpenBackfill,
  RegionOpenings,
  type MatchOffence,
  type Unchanging,
} from '@muster/domain/schemas';
import { z } from 'zod';
import { BoosterUse } from './http/rating/boosters.js';
import { BalanceOrder } from './http/assignment/live-sessions.js';
import { jobQueues, type JobQueue } from './job-queues.js';
import { StoredMessages } from './messages/message-views.js';

export const FormTeamsJob = z.object({
  matchId: z.string(),
  queue: z.string(),
  build: z.string(),
  /** Open now, nearest first; empty: any. */
  regions: z.array(z.string()),
  /** All of them by time; the previous release does not send them. */
  openings: RegionOpenings.optional(),
  tickets: z.array(
    z.object({
      ticketId: z.string(),
      playerIds: z.array(z.string()),
      enqueuedAt: z.number(),
      /** The levels by which they were matched, by player; the previous release does not send them. */
      levels: z.record(z.string(), z.number()).optional(),
      /** Levels of newcomers' probes: they replace the ratings of those players. */
      probes: z.record(z.string(), z.number()).optional(),
      /** Boosters in use, by player: matched at another level, but the teams count their ratings. */
      boosters: z.record(z.string(), BoosterUse).optional(),
      /** Roles that its players can play, by player. */
      canPlay: z.record(z.string(), z.array(z.string())).optional(),
      /** Players to keep away from its players. */
      avoid: z.array(z.object({ playerId: z.string(), scope: z.enum(['team', 'match']) })).optional(),
      /** The document that its leader sends to the server. */
      attributes: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  /** Places of all teams together that bots take. */
  bots: z.number().int().min(0).default(0),
  map: z.string().nullable().default(null),
  rules: z.looseObject({
    mode: z.string(),
    pool: z.string(),
    teams: z.number(),
    teamSize: z.number(),
    placementTimeoutSeconds: z.number(),
    /** Fewest players of each team who can play a role. */
    roles: z.record(z.string(), z.number()).optional(),
    /** The side of each team. */
    sides: z.array(z.string()).readonly().optional(),
    bots: z.object({ skill: z.number() }).optional(),
    /** All its tickets are of low behaviour score. */
    low: z.boolean().optional(),
    /**
     * The platform group of the match, as the matcher names it, and the only platform of all its players, if they play
     * without cross-play.
     */
    platformGroup: z.string().optional(),
    onlyPlatform: z.string().optional(),
  }),
  /**
   * What the rules allow by now, in units of mu: the largest skill of its tickets less the smallest, and the difference of
   * the teams' sums; null: anything. The previous release does not send it.
   */
  allowed: z.object({ spread: z.number().nullable(), gap: z.number().nullable() }).optional(),
  /** The trace of the match; see `OpenSpan.context`. */
  trace: z.string().max(600).optional(),
  why: z.array(z.string()),
  /** The messages of `why`, one per sentence; the previous release does not send them. */
  whyMessages: StoredMessages,
  proposedAt: z.number(),
});
export type FormTeamsJob = Unchanging<z.infer<typeof FormTeamsJob>>;

export const MatchJob = z.object({ matchId: z.string() });
export type MatchJob = Unchanging<z.infer<typeof MatchJob>>;

/** The results of newcomers to the pool in a rated match. */
export const MatchRated = z.object({
  matchId: z.string(),
  pool: z.string(),
  /** All its players with their ratings before it, and the teams' ranks. The previous release does not send them. */
  meeting: z
    .object({
      teams: z.array(z.array(z.object({ playerId: z.string(), mu: z.number(), sigma: z.number() }))),
      ranks: z.array(z.number()),
    })
    .optional(),
  players: z.array(
    z.object({
      playerId: z.string(),
      /** Matches rated in the pool, this one included. */
      matches: z.number(),
      /** 1 won, ½ drawn, 0 lost; with many teams the share of them that were placed behind. */
      outcome: z.number(),
      /**
       * Mean of the others in the match and, separately, of the others on its own team; null without any. In the model's
       * units.
       */
      opponents: z.number(),
      teammates: z.number().nullable(),
      teamSize: z.number(),
    }),
  ),
});
export type MatchRated = Unchanging<z.infer<typeof MatchRated>>;

/** Players whose ratings in a pool changed; null: all may have. */
export const RatingsChanged = z.object({ pool: z.string(), playerIds: z.array(z.string()).nullable() });
export type RatingsChanged = Unchanging<z.infer<typeof RatingsChanged>>;

/** A newcomer who has played enough matches of a pool to be placed by their stats. */
export const PlaceNewcomer = z.object({ pool: z.string(), playerId: z.string() });
export type PlaceNewcomer = Unchanging<z.infer<typeof PlaceNewcomer>>;

/** A server's report on the players of a match. */
export const Conduct = z.object({
  matchId: z.string(),
  queue: z.string(),
  /** When it was reported, milliseconds since the epoch. */
  at: z.number(),
  noShows: z.array(z.string()),
  leavers: z.array(z.string()),
});
export type Conduct = Unchanging<z.infer<typeof Conduct>>;

/** Opens a backfill, replaces its request, or closes it. */
export const BackfillUpdate = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('wanted'), ...OpenBackfill.shape }),
  z.object({ kind: z.literal('closed'), backfillId: z.string(), queue: z.string() }),
]);
export type BackfillUpdate = Unchanging<z.infer<typeof BackfillUpdate>>;

/** A ticket that takes seats of a running match. */
export const FillSeatJob = z.object({
  proposalId: z.string(),
  backfillId: z.string(),
  matchId: z.string(),
  ticketId: z.string(),
  team: z.number(),
  players: z.array(
    z.object({
      playerId: z.string(),
      mu: z.number(),
      sigma: z.number(),
      /** Roles that the player can play. */
      canPlay: z.array(z.string()).default([]),
    }),
  ),
  /** Number of players that its team still needs for each role. */
  roles: z.record(z.string(), z.number()).default({}),
  waitedMs: z.number(),
  /** The trace of the ticket. */
  trace: z.string().max(600).optional(),
  /** By what it was chosen; the previous release does not send it. */
  fit: z
    .object({
      pool: z.string(),
      /** Newcomers who count at the level of their probe, which is their `mu`, rather than by their rating. */
      probed: z.array(z.string()),
      /** The mean level that makes the teams even, in units of mu; null: there is no other team. */
      level: z.number().nullable(),
      /** The largest gap between the teams that the rules allow by now, in units of mu; null: any. */
      gap: z.number().nullable(),
    })
    .optional(),
  /** The document that its leader sends to the server. */
  attributes: z.record(z.string(), z.unknown()).optional(),
});
export type FillSeatJob = Unchanging<z.infer<typeof FillSeatJob>>;

export const SeatFilled = z.object({ proposalId: z.string(), backfillId: z.string(), ticketId: z.string() });
export type SeatFilled = Unchanging<z.infer<typeof SeatFilled>>;

/** Moves that the server of a session has to make. */
export const BalanceSession = z.object({ sessionId: z.string(), order: BalanceOrder });
export type BalanceSession = Unchanging<z.infer<typeof BalanceSession>>;

/** The job that a proposal sends to assignment, with its queue and tickets. */
export function readProposalJob(text: string): {
  queue: JobQueue;
  payload: FormTeamsJob | FillSeatJob;
  ticketIds: string[];
} {
  const json: unknown = JSON.parse(text);
  const seat = FillSeatJob.safeParse(json);
  if (seat.success) return { queue: jobQueues.fillSeat, payload: seat.data, ticketIds: [seat.data.ticketId] };
  const payload = FormTeamsJob.parse(json);
  return { queue: jobQueues.formTeams, payload, ticketIds: payload.tickets.map(({ ticketId }) => ticketId) };
}

/** The offences in the column of a match's row; null, as the previous release writes it: nobody. */
export function readOffences(json: unknown): readonly MatchOffence[] {
  return Offences.nullish().parse(json) ?? [];
}

/** Penalties that do not count, and why. */
export const LiftedPenalties = z.object({
  matchId: z.string(),
  queue: z.string(),
  at: z.number(),
  offences: Offences,
  reason: z.string(),
  messages: StoredMessages,
});
export type LiftedPenalties = Unchanging<z.infer<typeof LiftedPenalties>>;

/**
 * Offences are sent with the update that releases players: they are penalised first, and released then. `Conduct` sends the
 * same, for matches without tickets and for replicas that do not read it here yet.
 */
const blame = z.object({ queue: z.string(), offences: Offences }).optional();

/** `messages`: the messages of the reason; the previous release does not send them. */
const forMatch = {
  matchId: z.string(),
  ticketIds: z.array(z.string()),
  reason: z.string(),
  messages: StoredMessages,
};

/**
 * The state of the match where the kind of the update is not: it is void, or goes on without these tickets. The previous release
 * neither sends nor reads it.
 */
const matchState = z.enum(['placed', 'void']).optional();

/** Of a match, absent for a seat in one. The previous release neither sends nor reads it. */
const figures = z
  .object({
    queue: z.string(),
    teamGap: z.number(),
    favouriteLead: z.number().nullable(),
    waitsMs: z.array(z.number()),
  })
  .optional();

/** Where players connect. */
const onServer = {
  sessionId: z.string(),
  serverId: z.string(),
  region: z.string(),
  host: z.string(),
  port: z.number(),
};

export const MatchUpdate = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('formed'), ...forMatch, figures }),
  z.object({
    kind: z.literal('refused'),
    ...forMatch,
    failedTicketIds: z.array(z.string()),
    /** The ratings of its players have changed: they are read again before the tickets wait on. */
    stale: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('placing'), ...forMatch }),
  z.object({
    kind: z.literal('placed'),
    ...forMatch,
    teams: z.array(z.object({ ticketId: z.string(), team: z.number() })),
    ...onServer,
  }),
  z.object({
    kind: z.literal('joined'),
    ...forMatch,
    proposalId: z.string(),
    ticketId: z.string(),
    team: z.number(),
    ...onServer,
  }),
  z.object({ kind: z.literal('rated'), ...forMatch, blame, matchState }),
  z.object({ kind: z.literal('abandoned'), ...forMatch, blame, matchState }),
  z.object({
    kind: z.literal('remade'),
    ...forMatch,
    failedTicketIds: z.array(z.string()),
    /** Those of them whose players left the match, which had no server: they are not to blame. */
    leftTicketIds: z.array(z.string()).optional(),
    /**
     * Players who do not return: only tickets without any other player fail. The previous release neither sends nor reads it,
     * and all failed tickets end.
     */
    outPlayerIds: z.array(z.string()).optional(),
    /** How long tickets that return may wait from now on; absent: until they would have expired. */
    lifeSeconds: z.number().optional(),
    blame,
  }),
]);
export type MatchUpdate = Unchanging<z.infer<typeof MatchUpdate>>;
/** An update that ends a match for some or all of its tickets. */
export type EndOfMatch = Extract<MatchUpdate, { kind: 'rated' | 'abandoned' | 'remade' }>;
