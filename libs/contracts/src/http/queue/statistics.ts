import { QueueName } from '@muster/domain/schemas';
import { z } from 'zod';
import { EpochMs, inOrder, isRange, Moment } from '../../times.js';

/** The steps of statistics, in milliseconds. */
export const statisticsSteps = { '1m': 60_000, '5m': 300_000, '1h': 3_600_000 } as const;
export type StatisticsStep = keyof typeof statisticsSteps;
/** Most points of a queue in an answer. */
export const mostStatisticsPoints = 300;

export const ReadStatistics = z
  .strictObject({
    from: Moment.optional().meta({ description: 'An hour before `to` by default.' }),
    to: Moment.optional().meta({ description: 'Now by default.' }),
    queue: QueueName.optional().meta({ description: 'All queues by default.' }),
    step: z
      .enum(['1m', '5m', '1h'])
      .optional()
      .meta({
        description: `The finest by default that gives at most ${mostStatisticsPoints} points. \`from\` and \`to\` are extended to whole steps.`,
      }),
  })
  .refine(isRange, inOrder);
export type ReadStatistics = z.output<typeof ReadStatistics>;

const count = z.number().int().min(0);
const mean = z.number().min(0).nullable();
const quantiles = (description: string) =>
  z.object({ p50: z.number(), p95: z.number() }).nullable().meta({ description });

const ofQueue = {
  waiting: mean.meta({
    description: 'Tickets that waited: the mean of one look a minute; null without one.',
  }),
  accepted: count.meta({ description: 'Tickets accepted.' }),
  matched: count.meta({
    description: 'Tickets of matches formed; a seat in a running match is none of these.',
  }),
  matches: count.meta({ description: 'Matches formed.' }),
  assigned: count.meta({ description: 'Tickets ended with their match.' }),
  cancelled: count,
  expired: count,
  failed: count.meta({ description: 'Tickets ended by an error, such as a match without a server.' }),
  matchMs: quantiles('Time from enqueuing to the proposal of the match, in milliseconds; null without one.'),
  teamGap: quantiles('Difference between the strongest and the weakest team, in rating points.'),
  favouriteLead: quantiles('Distance of the favourite’s predicted chance from ½, of matches of two teams.'),
};
const ofRealm = {
  slots: z
    .object({ used: z.number().min(0), free: z.number().min(0) })
    .nullable()
    .meta({ description: 'Slots of servers; null while the allocator was away.' }),
  deadJobs: mean.meta({ description: 'Dead letters.' }),
  retryingJobs: mean.meta({ description: 'Jobs that failed and were due again.' }),
};
const points = <T extends z.ZodRawShape>(figures: T) =>
  z.array(z.object({ at: EpochMs, ...figures })).meta({
    description: 'One for each step, by its begin. A step in which the service did not look is absent.',
  });

export const StatisticsView = z
  .object({
    from: EpochMs,
    to: EpochMs,
    step: z.enum(['1m', '5m', '1h']),
    relativeError: z.number().meta({
      description:
        'Quantiles are of counts in buckets: they differ by at most this part from the exact ones.',
    }),
    queues: z.array(
      z
        .object({ queue: QueueName, total: z.object(ofQueue), points: points(ofQueue) })
        .meta({ id: 'QueueStatistics' }),
    ),
    realm: z
      .object({ total: z.object(ofRealm), points: points(ofRealm) })
      .meta({ id: 'RealmStatistics', description: 'Means of one look a minute.' }),
  })
  .meta({ id: 'Statistics' });
export type StatisticsView = z.infer<typeof StatisticsView>;
