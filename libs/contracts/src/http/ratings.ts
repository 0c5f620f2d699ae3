import { z } from 'zod';
import {
  CoordinatorId,
  DisplayName,
  EpochMs,
  inOrder,
  isRange,
  Label,
  Moment,
  plainText,
  PlayedMs,
  PlayerId,
  PoolName,
  RegionName,
} from '../ids.js';
import { MessageViews } from '../messages/message-views.js';
import { issuesOf, Parties, tookPart } from './took-part.js';

const EventId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}$/,
    'must be an id of letters, digits and _ . : @ - (128 at most)',
  );

const Text = z.string().min(1).max(500).regex(plainText, 'must be text without NUL');

export const ModelList = z
  .object({
    models: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        about: z.string(),
        needs: z.array(z.string()).meta({ description: 'Facts of a match that the model requires.' }),
        parameters: z
          .record(z.string(), z.unknown())
          .meta({ description: 'Default, range and meaning of each.' }),
      }),
    ),
  })
  .meta({ id: 'ModelList' });

/** A step that a player sees instead of a number. */
export const DivisionView = z.object({
  name: z.string(),
  step: z.number().int().meta({ description: 'From 1, the lowest.' }),
  of: z.number().int(),
});
const InactiveFrom = EpochMs.nullable().optional().meta({
  description:
    'When time without a match begins to change the rating, by the pool’s inactivity rules; null: never.',
});
const SeasonMatches = z
  .number()
  .int()
  .optional()
  .meta({ description: 'Rated matches in the season that runs; absent before the first.' });
/** A player's skill under one aspect. */
export const AspectSkillView = z.object({
  name: z.string().meta({ description: 'The aspect and its value, such as `side:alien`.' }),
  mean: z.number().meta({ description: 'Difference from the common skill, in log-odds of a duel.' }),
  sd: z.number().meta({ description: 'Its standard deviation.' }),
  matches: z.number().int(),
});
export const RatingView = z
  .object({
    pool: PoolName,
    playerId: PlayerId,
    name: z.string().nullable().optional().meta({
      description: 'The last display name; null: none is known.',
    }),
    mu: z.number(),
    sigma: z.number(),
    display: z.number().meta({ description: 'One conservative number, by the pool’s model.' }),
    matches: z.number().int(),
    seasonMatches: SeasonMatches,
    division: DivisionView,
    shadow: z.object({
      hidden: z.boolean().meta({ description: 'Whether the division is still hidden from the player.' }),
      matchesLeft: z.number().int(),
    }),
    stale: z.boolean().meta({ description: 'No match for longer than the pool’s staleAfterDays.' }),
    lastRatedAt: EpochMs.nullable(),
    inactiveFrom: InactiveFrom,
    aspects: z.array(AspectSkillView).optional().meta({
      description: 'Skill by side, map, venue or role, sorted by name; absent: the pool rates none.',
    }),
  })
  .meta({ id: 'Rating' });
export type RatingView = z.infer<typeof RatingView>;
/** The part of a rating that a player sees: never a number of skill. */
export const MyRatingView = z
  .object({
    pool: PoolName,
    playerId: PlayerId,
    matches: z.number().int(),
    seasonMatches: SeasonMatches,
    division: DivisionView.nullable().meta({ description: 'null while the rating is hidden.' }),
    matchesUntilShown: z.number().int(),
    stale: z.boolean(),
    inactiveFrom: InactiveFrom,
  })
  .meta({ id: 'MyRating' });
export type MyRatingView = z.infer<typeof MyRatingView>;
export const RatingParams = z.strictObject({ pool: PoolName, playerId: PlayerId });
export const PoolParams = z.strictObject({ pool: PoolName });
export const PageOfRatings = z.strictObject({
  limit: z.coerce.number().int().min(1).max(10_000).default(100),
  after: PlayerId.optional().meta({ description: 'Players after this id, sorted by id.' }),
});
export const RatingList = z.object({ ratings: z.array(RatingView) }).meta({ id: 'RatingList' });
export const MyRating = z.strictObject({ pool: PoolName.default('default') });

export const SetRating = z
  .strictObject({
    mu: z.number().meta({
      description:
        'The new mean, in the units of the pool’s model: at most a hundred initial uncertainties from the start value.',
    }),
    sigma: z.number().positive().optional().meta({ description: 'The uncertainty; unchanged by default.' }),
    reason: Text,
    eventId: EventId.optional().meta({ description: 'Repeat with the same id to be safe.' }),
  })
  .meta({ id: 'SetRating' });
export type SetRating = z.infer<typeof SetRating>;
export const ResetRating = z.strictObject({
  reason: Text.default('Reset by an operator.'),
  eventId: EventId.optional(),
});
export const RatingHistory = z
  .object({
    name: z.string().nullable().optional().meta({
      description: 'The last display name; null: none is known.',
    }),
    changes: z.array(
      z.object({
        sequence: z.number().int(),
        kind: z.enum(['match', 'void', 'set', 'reset', 'season', 'decay', 'seed', 'signal']),
        eventId: z.string(),
        at: PlayedMs,
        by: z.string().nullable(),
        reason: z.string().nullable(),
        reasonMessages: MessageViews,
        version: z.number().int().meta({ description: 'The version of the pool’s rules at that time.' }),
        before: z.unknown(),
        after: z.unknown(),
      }),
    ),
  })
  .meta({ id: 'RatingHistory' });
export type RatingHistory = z.infer<typeof RatingHistory>;
export const PageOfHistory = z
  .strictObject({
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
    from: Moment.optional().meta({
      description: 'Only changes at this time or later; for matches, when they ended.',
    }),
    to: Moment.optional().meta({ description: 'Only changes before this time.' }),
  })
  .refine(isRange, inOrder);

const rules = {
  model: z.string().min(1).max(64),
  parameters: z.record(z.string().max(64), z.union([z.number(), z.string().max(64)])),
  aggregation: z.enum(['mean', 'sum', 'learned']),
  circumstances: z.array(z.enum(['side', 'map', 'venue'])).max(3),
  partyBonus: z.enum(['none', 'fixed', 'learned']),
  shadowMatches: z.number().int().min(0).max(10_000),
  shadowCap: z.number().nullable(),
  divisions: z.array(z.strictObject({ name: Label, from: z.number().nullable() })).max(100),
  divisionMargin: z.number().min(0).nullable(),
  staleAfterDays: z.number().min(0.01).max(3_650),
  convergedBelow: z.number().min(0.01).max(1),
};
const Inactivity = z
  .strictObject({
    afterDays: z.number().min(0).max(3_650).meta({
      description: 'Days without a match before anything changes.',
    }),
    forgottenAfterDays: z.number().positive().max(36_500).optional().meta({
      description:
        'Days in which the variance of a fully certain rating grows to that of a newcomer. Omitted: it stays.',
    }),
    decay: z
      .strictObject({
        division: Label.meta({ description: 'The lowest division that is affected.' }),
        perDay: z.number().positive().max(10).meta({
          description: 'Fall of the mean per day, in start uncertainties.',
        }),
      })
      .optional()
      .meta({ description: 'Ratings above the lower border of a division fall to it.' }),
  })
  .nullable()
  .meta({ description: 'What time without a match does to a rating. null: nothing.' });
const ServerResults = z.boolean().meta({
  description:
    'Whether the server key may report matches to the pool although a queue uses it. It always may for a pool without a queue.',
});
/** What the start of a season does to ratings. */
export const SeasonRulesBody = z
  .strictObject({
    keep: z.number().min(0).max(1).meta({
      description:
        'Share of the distance from the start value that a mean keeps: 0 resets everybody, 1 keeps all means.',
    }),
    uncertainty: z.number().min(0).max(1).meta({
      description: 'The least uncertainty after the reset, as a share of a newcomer’s; 0 keeps it.',
    }),
    placementMatches: z.number().int().min(0).max(1_000).meta({
      description: 'Matches in the season before a player’s division is shown again.',
    }),
  })
  .meta({ id: 'SeasonRules' });
const strength = z.number().positive().max(10);
const Aspects = z
  .strictObject({ side: strength, map: strength, venue: strength, role: strength })
  .partial()
  .nullable()
  .meta({
    description:
      'What players are rated by beside their common skill, each with its strength: the standard deviation of what it adds to a team’s log-odds, before anything is known of the players. null: nothing.',
  });
const SeasonRule = SeasonRulesBody.nullable().meta({
  description: 'What the start of a season does. null: the pool has no seasons.',
});
/** What boosters do. */
const BoosterRule = z
  .strictObject({
    matches: z.number().int().min(1).max(1_000).meta({
      description: 'Matches of a booster; a grant may say fewer.',
    }),
    kFactor: z.number().min(1).max(4).default(2).meta({
      description: 'How many times as far a boosted result moves the mean of the boosted player.',
    }),
    divisions: z.number().int().min(1).max(100).default(1).meta({
      description: 'Divisions between the player’s own and that of the booster, at most.',
    }),
  })
  .nullable()
  .meta({ description: 'A limited number of matches in another division. null: the pool has no boosters.' });
const IntegrityRule = z
  .strictObject({
    uncertainty: z.number().min(0).max(1).optional().meta({
      description:
        'A signal raises the uncertainty of its players to at least this share of a newcomer’s; never further, and never a mean. Omitted: signals change no rating.',
    }),
    everyDays: z.number().min(1).max(365).optional().meta({
      description: 'A player’s uncertainty is raised once in so many days at most; 30 by default.',
    }),
  })
  .nullable()
  .meta({
    id: 'IntegrityRules',
    description: 'Watches for signs of cheating and opens cases for operators. null: nothing is watched.',
  });
const Placement = z
  .strictObject({
    leastR2: z.number().min(0.01).max(1).default(0.1).meta({
      description:
        'The least share of the differences between players left out of the fit that stats must explain.',
    }),
    minMatches: z.number().int().min(50).max(5_000).default(200).meta({
      description: 'Fewest matches with stats.',
    }),
    window: z.number().int().min(1).max(60).default(10).meta({
      description: 'Matches after which a newcomer is placed, in pools whose queues do not calibrate.',
    }),
  })
  .nullable()
  .meta({ description: 'Placement of newcomers from stats. null: by results alone.' });
export const PoolRulesBody = z
  .strictObject({
    ...rules,
    serverResults: ServerResults,
    inactivity: Inactivity,
    season: SeasonRule,
    boosters: BoosterRule,
    integrity: IntegrityRule,
    aspects: Aspects,
    placement: Placement,
  })
  .partial()
  .meta({
    id: 'PoolRules',
    description: 'Rules of a pool. Omitted fields are unchanged, or have their default.',
  });
export type PoolRulesBody = z.infer<typeof PoolRulesBody>;
export const CreatePool = z
  .strictObject({
    name: PoolName,
    gameMode: Label.nullable().default(null),
    modifiers: z.array(Label).max(64).default([]).meta({
      description:
        'Modifiers that change how the game plays, without cosmetic ones. A different set is a different pool.',
    }),
    ...PoolRulesBody.shape,
  })
  .meta({ id: 'CreatePool' });
export type CreatePool = z.infer<typeof CreatePool>;
const Learned = z.object({ mean: z.number(), sd: z.number() });
export const PoolView = z
  .object({
    name: PoolName,
    gameMode: z.string().nullable(),
    modifiers: z.array(z.string()),
    rules: z.object({
      ...rules,
      serverResults: ServerResults.optional(),
      inactivity: Inactivity.optional(),
      season: SeasonRule.optional(),
      boosters: BoosterRule.optional(),
      integrity: IntegrityRule.optional(),
      aspects: Aspects.optional(),
      placement: Placement.optional(),
    }),
    calibration: z
      .object({
        scale: Learned,
        offsets: z.record(z.string(), Learned),
        drawRate: z.number(),
        matches: z.number().int(),
      })
      .meta({ description: 'The calibration of the model’s chances, learned from results.' }),
    version: z.number().int(),
    generation: z.number().int(),
    created: z.boolean().optional(),
    proposals: z.array(z.string()).optional().meta({
      description: 'What an operator may run for the pool, a sentence each; absent: nothing, or not asked.',
    }),
  })
  .meta({ id: 'Pool' });
export type PoolView = z.infer<typeof PoolView>;
export const PoolList = z.object({ pools: z.array(PoolView) }).meta({ id: 'PoolList' });

export const RebuildPool = z
  .strictObject({
    ...PoolRulesBody.shape,
    reason: Text.default('Asked for by an operator.'),
    refit: z.boolean().default(false).meta({
      description: 'Fit all ratings at once to the whole history instead of folding it (model hive).',
    }),
  })
  .meta({ id: 'RebuildPool' });
export type RebuildPool = z.infer<typeof RebuildPool>;
export const RebuildView = z
  .object({
    rebuildId: CoordinatorId,
    pool: PoolName,
    state: z.enum(['running', 'done', 'failed']),
    model: z.string(),
    reason: z.string(),
    reasonMessages: MessageViews,
    done: z.number().int().meta({ description: 'Events folded so far.' }),
    total: z.number().int().meta({ description: 'Number of events at the last count.' }),
    skipped: z
      .number()
      .int()
      .meta({ description: 'Matches and given ratings that the model could not rate.' }),
    generation: z.number().int(),
    startedAt: EpochMs,
    finishedAt: EpochMs.nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'Rebuild' });
export type RebuildView = z.infer<typeof RebuildView>;
export const RebuildList = z.object({ rebuilds: z.array(RebuildView) }).meta({ id: 'RebuildList' });

const Score = z.object({
  matches: z.number().int(),
  decided: z.number().int(),
  accuracy: z.number(),
  logLoss: z.number(),
  brier: z.number(),
});
export const HealthQuery = z.strictObject({
  periods: z.coerce.number().int().min(1).max(500).default(30).meta({
    description: 'Number of equal parts of the history.',
  }),
  matches: z.coerce.number().int().min(1).max(100_000).default(10_000).meta({
    description: 'Length of the history, in matches.',
  }),
});
export const HealthPlotQuery = z.strictObject({
  ...HealthQuery.shape,
  plot: z.enum(['time', 'calibration']).default('time').meta({
    description:
      '`time`: log-loss, Brier score, drift and convergence over time. `calibration`: predictions against results.',
  }),
});
export const PoolHealth = z
  .object({
    pool: PoolName,
    version: z.number().int(),
    generation: z.number().int(),
    proposals: z.array(z.string()).optional().meta({
      description: 'What an operator may run for the pool, a sentence each; absent: nothing.',
    }),
    players: z.number().int(),
    overall: z.object({ raw: Score, calibrated: Score }),
    deciles: z
      .array(z.object({ predicted: z.number(), happened: z.number(), count: z.number().int() }))
      .meta({ description: 'Calibrated chances against results.' }),
    periods: z.array(
      z.object({
        from: PlayedMs,
        to: PlayedMs,
        calibrated: Score,
        drift: z.number().meta({ description: 'Mean rating minus the start value, in start uncertainties.' }),
        converged: z
          .number()
          .meta({ description: 'Share of players whose uncertainty is below the pool’s bound.' }),
        players: z.number().int(),
      }),
    ),
  })
  .meta({ id: 'PoolHealth' });
export type PoolHealth = z.infer<typeof PoolHealth>;

export const Sides = z.array(Label).min(2).max(100);
const Share = z.number().min(0).max(1);
export const Facts = z.strictObject({
  place: z.number().int().min(1).max(10_000).optional(),
  kills: z.number().min(0).max(1e6).optional(),
  deaths: z.number().min(0).max(1e6).optional(),
  assists: z.number().min(0).max(1e6).optional(),
  power: z.number().min(0).max(1e6).optional().meta({
    description: 'Points of the game’s own measure of performance.',
  }),
  scoredFor: z.number().min(0).max(1e6).optional(),
  scoredAgainst: z.number().min(0).max(1e6).optional(),
  command: Share.optional(),
  role: Label.optional().meta({ description: 'The player’s role, for a pool that rates roles.' }),
});
export const PredictMatch = z
  .strictObject({
    teams: z.array(z.array(PlayerId).min(1).max(100)).min(2).max(100),
    sides: Sides.optional(),
    map: Label.optional(),
    venue: Label.optional(),
    parties: Parties.optional(),
    roles: z.record(PlayerId, Label).optional().meta({
      description: 'The role of each player, for a pool that rates roles; players may be left out.',
    }),
  })
  .superRefine((body, context) => {
    for (const { path, message } of issuesOf(body))
      context.addIssue({ code: 'custom', path: [...path], message });
  })
  .meta({ id: 'PredictMatch' });
export type PredictMatch = z.infer<typeof PredictMatch>;
export const MatchPrediction = z
  .object({
    chances: z
      .array(z.number())
      .meta({ description: 'Chance of each team, in total 1; a draw counts half for each of two.' }),
    draw: z.number(),
    version: z.number().int(),
  })
  .meta({ id: 'MatchPrediction' });
export type MatchPrediction = z.infer<typeof MatchPrediction>;
export const VoidMatch = z.strictObject({ reason: Text }).meta({ id: 'VoidMatch' });
export const MatchVoided = z
  .object({
    matchId: CoordinatorId,
    voided: z.boolean().meta({ description: 'False when the match was void before.' }),
    rebuild: RebuildView.nullable().meta({
      description: 'The rebuild that removes its effect on the ratings.',
    }),
  })
  .meta({ id: 'MatchVoided' });

export const PlayedAt = PlayedMs.optional().meta({
  description:
    'When the match was played, in milliseconds since the Unix epoch; at most ten minutes ahead of the coordinator’s clock. Default: now.',
});
export const ReportResult = z
  .strictObject({
    eventId: EventId.meta({ description: 'Your own id of this match; an id counts once.' }),
    pool: PoolName,
    playedAt: PlayedAt,
    teams: z.array(z.array(PlayerId).min(1).max(100)).min(2).max(100),
    ranks: z.array(z.number().int().min(1).max(1_000)).min(2).max(100),
    sides: Sides.optional().meta({ description: 'The side of each team: a faction, home or away.' }),
    map: Label.optional(),
    venue: Label.optional(),
    shares: z
      .record(PlayerId, Share)
      .optional()
      .meta({ description: 'Share of the match that each player took part in.' }),
    ...tookPart,
    facts: z
      .record(PlayerId, Facts)
      .optional()
      .meta({ description: 'Facts about each player, for models that use them.' }),
    region: RegionName.optional().meta({ description: 'Where it was played, for leaderboards by region.' }),
    names: z
      .record(PlayerId, DisplayName)
      .optional()
      .meta({ description: 'Display names of players, shown beside their ids. Ratings do not use them.' }),
  })
  .superRefine((body, context) => {
    for (const { path, message } of issuesOf(body))
      context.addIssue({ code: 'custom', path: [...path], message });
    if (body.ranks.length !== body.teams.length) {
      context.addIssue({
        code: 'custom',
        path: ['ranks'],
        message: `there are ${body.teams.length} teams but ${body.ranks.length} ranks`,
      });
    }
    const seen = new Set<string>();
    body.teams.forEach((team, t) =>
      team.forEach((playerId, p) => {
        if (seen.has(playerId)) {
          context.addIssue({
            code: 'custom',
            path: ['teams', t, p],
            message: `${playerId} is in the match twice`,
          });
        }
        seen.add(playerId);
      }),
    );
    for (const what of ['shares', 'facts', 'names'] as const)
      for (const playerId of Object.keys(body[what] ?? {}))
        if (!seen.has(playerId))
          context.addIssue({
            code: 'custom',
            path: [what, playerId],
            message: `${playerId} is not in the match`,
          });
  })
  .meta({ id: 'ReportResult' });
export type ReportResult = z.infer<typeof ReportResult>;
export const ResultRated = z
  .object({
    matchId: CoordinatorId,
    counted: z.boolean().meta({ description: 'False when the same result was counted before.' }),
    prediction: z
      .array(z.number())
      .meta({ description: 'Chance of each team to win, predicted before rating.' }),
  })
  .meta({ id: 'ResultRated' });
export type ResultRated = z.infer<typeof ResultRated>;
