import { statBoundsOf, type ResultRules } from '@muster/domain';
import { z } from 'zod';
import { Label, plain } from '../ids.js';

export const modelRules = {
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
export const Inactivity = z
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
export const ServerResults = z.boolean().meta({
  description:
    'Whether the server key may report matches to the pool although a queue uses it. It always may for a pool without a queue.',
});
const Bound = z.number().min(-1e12).max(1e12).optional();
/** What results of a pool's matches must fit. */
export const ResultRule = z
  .strictObject({
    scores: z.enum(['higher-wins', 'lower-wins', 'any']).default('higher-wins').meta({
      description: 'Which teams the scores of a result must put ahead; any: they say nothing about ranks.',
    }),
    stats: z
      .record(
        z
          .string()
          .min(1)
          .max(64)
          .regex(...plain),
        z.strictObject({ min: Bound, max: Bound }),
      )
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
export const Aspects = z
  .strictObject({ side: strength, map: strength, venue: strength, role: strength })
  .partial()
  .nullable()
  .meta({
    description:
      'What players are rated by beside their common skill, each with its strength: the standard deviation of what it adds to a team’s log-odds, before anything is known of the players. null: nothing.',
  });
export const ShortHanded = z
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
export const SeasonRule = SeasonRulesBody.nullable().meta({
  description: 'What the start of a season does. null: the pool has no seasons.',
});
/** What boosters do. */
export const BoosterRule = z
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
export const IntegrityRule = z
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
export const Placement = z
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
    ...modelRules,
    serverResults: ServerResults,
    results: ResultRule,
    inactivity: Inactivity,
    season: SeasonRule,
    boosters: BoosterRule,
    integrity: IntegrityRule,
    aspects: Aspects,
    shortHanded: ShortHanded,
    placement: Placement,
  })
  .partial()
  .meta({
    id: 'PoolRules',
    description: 'Rules of a pool. Omitted fields are unchanged, or have their default.',
  });
export type PoolRulesBody = z.infer<typeof PoolRulesBody>;
