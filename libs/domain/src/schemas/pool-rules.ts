import { z } from 'zod';
import { statBoundsOf } from '../match-life/result-check.js';
import { Label, textUpTo } from './names.js';
import type { Unchanging } from './unchanging.js';

/** How a pool's model rates, and the part of their rating that players see. */
const modelRules = {
  model: z.string().min(1).max(64).meta({ description: 'The rating model.' }),
  parameters: z
    .record(z.string().max(64), z.union([z.number(), z.string().max(64)]))
    .meta({ description: 'Parameters of the model that are not the default.' }),
  aggregation: z.enum(['mean', 'sum', 'learned']).meta({
    description:
      'How teams of different size are compared. `mean`: the larger team counts as if it were of mean size. `sum`: every player adds to the team. `learned`: as `mean`, and the value of a surplus player is learned from results.',
  }),
  circumstances: z
    .array(z.enum(['side', 'map', 'venue']))
    .max(3)
    .meta({ description: 'Features beside skill whose value the pool learns.' }),
  partyBonus: z
    .enum(['none', 'fixed', 'learned'])
    .meta({ description: 'The additional strength of players in a party.' }),
  shadowMatches: z.number().int().min(0).max(10_000).meta({
    description: 'Matches for which a rating is hidden from its player, and fully trusted meanwhile.',
  }),
  shadowCap: z
    .number()
    .nullable()
    .meta({ description: 'The highest mean of a player when the shadow ends; null: no cap.' }),
  divisions: z
    .array(z.strictObject({ name: Label, from: z.number().nullable() }))
    .max(100)
    .meta({
      description:
        'From the lowest, which has no bound. Empty: seven of the start uncertainty’s width around the start value.',
    }),
  divisionMargin: z.number().min(0).nullable().meta({
    description:
      'How far past a border a mean must be before the division changes; null: a tenth of the start uncertainty.',
  }),
  staleAfterDays: z
    .number()
    .min(0.01)
    .max(3_650)
    .meta({ description: 'Days without a match after which a rating is flagged as stale.' }),
  convergedBelow: z
    .number()
    .min(0.01)
    .max(1)
    .meta({ description: 'Share of a newcomer’s uncertainty below which a player is converged.' }),
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
const Bound = z.number().min(-1e12).max(1e12).optional();
/** What results of a pool's matches must fit. */
const ResultRule = z
  .strictObject({
    scores: z.enum(['higher-wins', 'lower-wins', 'any']).default('higher-wins').meta({
      description: 'Which teams the scores of a result must put ahead; any: they say nothing about ranks.',
    }),
    stats: z
      .record(textUpTo(64), z.strictObject({ min: Bound, max: Bound }))
      .superRefine((stats, context) => {
        for (const [name, bounds] of Object.entries(stats)) {
          const { min, max } = statBoundsOf(name, { scores: 'any', stats });
          if (min <= max) continue;
          const message = `allows no value: it goes from ${min} to ${max} (${bounds.min === undefined ? 'min' : 'max'} by default); give both bounds`;
          context.addIssue({ code: 'custom', path: [name], message });
        }
      })
      .refine((stats) => Object.keys(stats).length <= 100, { message: 'must have at most 100 names' })
      .default({})
      .meta({ description: 'Bounds of players’ stats, by name; a bound that is omitted keeps its default.' }),
  })
  .nullable()
  .meta({
    description: 'What results must fit: others are refused with 422. null: the defaults.',
  });
/** The rules for results as a pool stores them. @returns null for none, and for rules that only a newer release knows */
export function readResultRules(stored: unknown): ResultRules | null {
  return ResultRule.safeParse(stored).data ?? null;
}
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
const ShortHanded = z
  .strictObject({
    odds: z.number().min(0).max(50).default(5).meta({
      description:
        'Log-odds of a team for a difference of 1 in the natural logarithm of its size, until results tell more; 5 is 75 % for five against four. It counts where `aggregation` is `learned`.',
    }),
    leavers: z.enum(['full', 'share']).default('full').meta({
      description:
        'What a player who left early loses: as if everybody had stayed, or by the share of the match that was played.',
    }),
    mates: z.number().min(0).max(1).default(0.75).meta({
      description: 'Share of their loss that mates keep whom a leaver left short-handed; 1: all of it.',
    }),
  })
  .nullable()
  .meta({
    description:
      'What fewer players mean, and who answers for it. null: sizes are even until results say otherwise, and who stays answers for who left.',
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
/** Rules that later releases added: in the rules of an older pool they are absent, or null. */
const laterRules = {
  serverResults: ServerResults,
  results: ResultRule,
  inactivity: Inactivity,
  season: SeasonRule,
  boosters: BoosterRule,
  integrity: IntegrityRule,
  aspects: Aspects,
  shortHanded: ShortHanded,
  placement: Placement,
};
export const PoolRulesBody = z
  .strictObject({ ...modelRules, ...laterRules })
  .partial()
  .meta({
    id: 'PoolRules',
    description: 'Rules of a pool. Omitted fields are unchanged, or have their default.',
  });
export type PoolRulesBody = z.infer<typeof PoolRulesBody>;

/** The rules of a pool as they are stored and shown. */
export const PoolRulesInForce = z.object({ ...modelRules, ...z.object(laterRules).partial().shape });

/** The changeable part of a pool; each version is kept. */
export type PoolRules = Unchanging<z.infer<typeof PoolRulesInForce>>;
/** The part that decides ratings. */
export type RatingRules = Pick<
  PoolRules,
  'model' | 'parameters' | 'aggregation' | 'circumstances' | 'partyBonus' | 'aspects' | 'shortHanded'
>;
export type Aggregation = PoolRules['aggregation'];
export type Circumstance = PoolRules['circumstances'][number];
/** A step of the ladder that players see instead of a number. */
export type Division = PoolRules['divisions'][number];
/** What players are rated by beside their common skill; absent aspects are not rated. */
export type AspectRules = NonNullable<PoolRules['aspects']>;
/** What time without a match does to ratings. It is computed when a rating is read or rated, never stored. */
export type InactivityRules = NonNullable<PoolRules['inactivity']>;
/** What the start of a season does to the ratings of a pool. Shares mean the same in the units of every model. */
export type SeasonRules = NonNullable<PoolRules['season']>;
/** What results of a pool's matches must fit. */
export type ResultRules = NonNullable<PoolRules['results']>;
/** What boosters do in a pool: its player plays a limited number of matches among players of another division. */
export type BoosterRules = NonNullable<PoolRules['boosters']>;
/** What a pool does with signals. No number of signals raises an uncertainty further, and none changes a mean. */
export type IntegrityRules = NonNullable<PoolRules['integrity']>;
/** What a pool asks before it seeds newcomers by their stats. */
export type SeedingRules = NonNullable<PoolRules['placement']>;
