import { CoordinatorId, Label, PoolName, PoolRulesBody, PoolRulesInForce } from '@muster/domain/schemas';
import { z } from 'zod';
import { MessageViews } from '../../messages/message-views.js';
import { Text } from '../operator-words.js';
import { wholeInUrl } from '../../query-numbers.js';
import { EpochMs, PlayedMs } from '../../times.js';

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

export const PoolParams = z.strictObject({ pool: PoolName });

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
    rules: PoolRulesInForce,
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
      description:
        'What an operator may run for the pool, a sentence each. Absent when there is nothing to run, and in lists of pools.',
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
  periods: wholeInUrl(1, 500).default(30).meta({
    description: 'Number of equal parts of the history.',
  }),
  matches: wholeInUrl(1, 100_000).default(10_000).meta({
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
      description:
        'What an operator may run for the pool, a sentence each. Absent when there is nothing to run.',
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
