import { z } from 'zod';
import { BalanceOrder } from './http/live-sessions.js';
import { StoredMessages } from './messages/spoken.js';

/** Every durable job there is, by the name of its queue. The job id is the match id with what happened to it. */
export const jobQueues = {
  /** queue → assignment: make teams of these tickets. */
  formTeams: 'form-teams',
  /** assignment → allocator: find a server. */
  placeMatch: 'place-match',
  /** allocator → rating: rate what was played. */
  rateMatch: 'rate-match',
  /** anyone → queue: what became of a match, for its tickets. */
  matchUpdates: 'ticket-news',
  /** allocator → queue: who did not come to a match, or left it. */
  conduct: 'conduct',
  /** rating → queue: a match with newcomers in it was rated, for their calibration. */
  matchRated: 'match-rated',
  /** allocator → queue: a running match wants players, or wants none any more. */
  backfills: 'backfills',
  /** queue → assignment: seat this ticket in a running match. */
  fillSeat: 'fill-seat',
  /** assignment → allocator: a ticket took seats of a running match. */
  seatFilled: 'seat-filled',
  /** assignment → allocator: players of a running session are to change team. */
  balanceSession: 'balance-session',
} as const;
export type JobQueue = (typeof jobQueues)[keyof typeof jobQueues];

export const FormTeamsJob = z.object({
  matchId: z.string(),
  queue: z.string(),
  build: z.string(),
  regions: z.array(z.string()),
  tickets: z.array(
    z.object({
      ticketId: z.string(),
      playerIds: z.array(z.string()),
      enqueuedAt: z.number(),
      /** Levels at which newcomers are tried out: they stand in for the ratings of those players. */
      probes: z.record(z.string(), z.number()).optional(),
      /** Roles that its players can play, by player. */
      canPlay: z.record(z.string(), z.array(z.string())).optional(),
      /** Whom its players are to be kept away from. */
      avoid: z.array(z.object({ playerId: z.string(), scope: z.enum(['team', 'match']) })).optional(),
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
    /** How many of each team, at the least, can play a role. */
    roles: z.record(z.string(), z.number()).optional(),
    bots: z.object({ skill: z.number() }).optional(),
    /** All its tickets are of low behaviour score. */
    low: z.boolean().optional(),
    /** Which platforms meet in it, as the matcher names them, and the only one of all its players, if they insist on it. */
    platformGroup: z.string().optional(),
    onlyPlatform: z.string().optional(),
  }),
  why: z.array(z.string()),
  /** What `why` is made of, a sentence each; releases before this one do not say it. */
  whyMessages: StoredMessages,
  proposedAt: z.number(),
});
export type FormTeamsJob = z.infer<typeof FormTeamsJob>;

export const MatchJob = z.object({ matchId: z.string() });
export type MatchJob = z.infer<typeof MatchJob>;

/** How a rated match went for those of its players who are new to the pool. */
export const MatchRated = z.object({
  matchId: z.string(),
  pool: z.string(),
  /** Everybody in it as the pool believed of them before, and the teams' ranks. Releases before this one do not say it. */
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
      /** 1 won, ½ drawn, 0 lost; of many teams the share of them that came after. */
      outcome: z.number(),
      /** Mean of the others in the match and, apart, of its own team's others; null when alone. In the model's units. */
      opponents: z.number(),
      teammates: z.number().nullable(),
      teamSize: z.number(),
    }),
  ),
});
export type MatchRated = z.infer<typeof MatchRated>;

/** What a server said of the players of a match. */
export const Conduct = z.object({
  matchId: z.string(),
  queue: z.string(),
  /** When it was said, milliseconds since the epoch. */
  at: z.number(),
  noShows: z.array(z.string()),
  leavers: z.array(z.string()),
});
export type Conduct = z.infer<typeof Conduct>;

const teamGap = z.array(z.object({ afterSeconds: z.number(), limit: z.number().nullable() }));

/** Of the rules that a match was made by, as assignment stored them: what matters to whoever joins it. */
export const RulesOfMatch = z.object({
  mode: z.string(),
  pool: z.string(),
  teams: z.number(),
  /** Places on each team, bots included. */
  teamSize: z.number(),
  roles: z.record(z.string(), z.number()).optional(),
  teamGap: teamGap.default([]),
  low: z.boolean().optional(),
  platformGroup: z.string().optional(),
  onlyPlatform: z.string().optional(),
  backfill: z.object({ seconds: z.number() }).optional(),
});
export type RulesOfMatch = z.infer<typeof RulesOfMatch>;

/** A running match wants players (or other ones than before), or none any more. */
export const BackfillNews = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('wanted'),
    backfillId: z.string(),
    matchId: z.string(),
    queue: z.string(),
    build: z.string(),
    region: z.string(),
    map: z.string().nullable(),
    team: z.number(),
    seats: z.number().int().min(1),
    teams: z.array(z.array(z.object({ playerId: z.string(), mu: z.number(), role: z.string().optional() }))),
    everybody: z.array(z.string()),
    rules: RulesOfMatch.omit({ teamSize: true, backfill: true }),
    requestedAt: z.number(),
    expiresAt: z.number(),
  }),
  z.object({ kind: z.literal('closed'), backfillId: z.string(), queue: z.string() }),
]);
export type BackfillNews = z.infer<typeof BackfillNews>;

/** A ticket that is to take seats of a running match. */
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
  /** How many players its team still needs for each role. */
  roles: z.record(z.string(), z.number()).default({}),
  waitedMs: z.number(),
});
export type FillSeatJob = z.infer<typeof FillSeatJob>;

export const SeatFilled = z.object({ proposalId: z.string(), backfillId: z.string(), ticketId: z.string() });
export type SeatFilled = z.infer<typeof SeatFilled>;

/** Moves that the server of a session is to make. */
export const BalanceSession = z.object({ sessionId: z.string(), order: BalanceOrder });
export type BalanceSession = z.infer<typeof BalanceSession>;

/** What a proposal sends to assignment, with the queue it goes through and the tickets it is about. */
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

/** What players of a match are blamed for, by the word of its server. */
const Offences = z.array(
  z.object({ playerId: z.string(), kind: z.enum(['no-show', 'left']), at: z.number() }),
);
export type Offences = z.infer<typeof Offences>;

/** As a match's row has it; null, as of a release before: nobody. */
export function readOffences(json: unknown): Offences {
  return Offences.nullish().parse(json) ?? [];
}

/**
 * Blame travels with the news that frees players: they are penalised first, and freed then. `Conduct` says the same, for matches
 * without tickets and for replicas that do not read it here yet.
 */
const blame = z.object({ queue: z.string(), offences: Offences }).optional();

/** `messages`: what the reason is made of; releases before this one do not say it. */
const forMatch = {
  matchId: z.string(),
  ticketIds: z.array(z.string()),
  reason: z.string(),
  messages: StoredMessages,
};

export const MatchUpdate = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('formed'), ...forMatch }),
  z.object({ kind: z.literal('refused'), ...forMatch, failedTicketIds: z.array(z.string()) }),
  z.object({ kind: z.literal('placing'), ...forMatch }),
  z.object({
    kind: z.literal('placed'),
    ...forMatch,
    teams: z.array(z.object({ ticketId: z.string(), team: z.number() })),
    sessionId: z.string(),
    serverId: z.string(),
    region: z.string(),
    host: z.string(),
    port: z.number(),
  }),
  z.object({
    kind: z.literal('joined'),
    ...forMatch,
    proposalId: z.string(),
    ticketId: z.string(),
    team: z.number(),
    sessionId: z.string(),
    serverId: z.string(),
    region: z.string(),
    host: z.string(),
    port: z.number(),
  }),
  z.object({ kind: z.literal('rated'), ...forMatch, blame }),
  z.object({ kind: z.literal('abandoned'), ...forMatch, blame }),
  z.object({
    kind: z.literal('remade'),
    ...forMatch,
    failedTicketIds: z.array(z.string()),
    /** Those of them whose players left the match, which had no server: they did nothing wrong. */
    leftTicketIds: z.array(z.string()).optional(),
    blame,
  }),
]);
export type MatchUpdate = z.infer<typeof MatchUpdate>;
/** News that ends a match for some of its tickets, or for all. */
export type EndOfMatch = Extract<MatchUpdate, { kind: 'rated' | 'abandoned' | 'remade' }>;
