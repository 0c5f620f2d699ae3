import {
  plainText,
  notPlain,
  QueueName,
  QueueRulesSchema,
  queueRulesShape,
  type QueueRules,
} from '@muster/domain/schemas';
import { z } from 'zod';
import { MessageViews } from '../../messages/message-views.js';
import { wholeInUrl } from '../../query-numbers.js';
import { PauseView } from './pauses.js';
import { EpochMs } from '../../times.js';

const Stored = z.object(queueRulesShape);

/**
 * Parses rules that were checked when they were stored. They are not checked for contradictions again: rules that the
 * release which stored them accepted are in force, and fields that only a newer release knows are dropped.
 *
 * @throws Error on a row that Muster did not write
 */
export function readStoredRules(json: unknown): QueueRules {
  return Stored.parse(json);
}

export const appliesTo = z.enum(['new', 'all']);

const version = z
  .number()
  .int()
  .min(1)
  .meta({ description: 'Counts the changes of this queue’s rules, from 1.' });

/** A queue as it is in force: its newest rules with their version. */
const paused = PauseView.optional().meta({
  description: 'The pause of this queue that is in force: it takes no tickets. Absent: none.',
});
export const QueueInForce = z.object({ ...queueRulesShape, version, paused }).meta({ id: 'QueueInForce' });
export type QueueInForce = z.infer<typeof QueueInForce>;
export const QueueList = z
  .object({
    queues: z.array(QueueInForce),
    maintenance: PauseView.optional().meta({
      description: 'Maintenance of all queues: announced, or in force from its `startsAt`. Absent: none.',
    }),
  })
  .meta({ id: 'QueueList' });

export const QueueParams = z.strictObject({ queue: QueueName });

export const RulesVersionView = z
  .object({
    queue: QueueName,
    version,
    rules: z.object(queueRulesShape),
    why: z.string().meta({ description: 'What was said about the change; empty when nothing was.' }),
    whyMessages: MessageViews,
    appliesTo: appliesTo.meta({
      description: '`new`: tickets that waited keep the rules they were told. `all`: they follow these.',
    }),
    createdAt: EpochMs,
  })
  .meta({ id: 'RulesVersion' });
export type RulesVersionView = z.infer<typeof RulesVersionView>;

export const PageOfRules = z.strictObject({
  version: wholeInUrl(1, 2_147_483_647).optional().meta({ description: 'This version only.' }),
  before: wholeInUrl(1, 2_147_483_647)
    .optional()
    .meta({ description: 'Versions before this one, to page on.' }),
  limit: wholeInUrl(1, 200).default(50),
});
export const RulesVersionList = z
  .object({ queue: QueueName, versions: z.array(RulesVersionView).meta({ description: 'Newest first.' }) })
  .meta({ id: 'RulesVersions' });

export const ApplyRules = z
  .strictObject({
    rules: QueueRulesSchema,
    why: z
      .string()
      .max(500)
      .regex(plainText, notPlain)
      .default('')
      .meta({ description: 'Why; it is kept with the version.' }),
    appliesTo: appliesTo.default('new').meta({
      description:
        '`new`: tickets that wait keep the rules they were told. `all`: those that wait follow these rules, too.',
    }),
    expectedVersion: z.number().int().min(0).max(2_147_483_647).optional().meta({
      description:
        'The version that you began with; if another came in between, nothing is changed (409). 0: the queue must be new.',
    }),
  })
  .meta({ id: 'ApplyRules' });

export const RulesApplied = z
  .object({
    ...RulesVersionView.shape,
    changed: z.boolean().meta({ description: 'False when these rules were in force already.' }),
  })
  .meta({ id: 'RulesApplied' });
