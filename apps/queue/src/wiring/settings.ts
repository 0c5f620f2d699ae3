import { QueueRulesSchema } from '@muster/contracts';
import type { QueueRules } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { serviceSettings } from '@muster/platform';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

export const queueSettings = serviceSettings.extend({
  /** gRPC targets, such as `dns:///rating:50051`. */
  RATING_GRPC: z.string().min(1),
  ASSIGNMENT_GRPC: z.string().min(1),
  /** A JSON file with a list of queue rules; without it there are the built-in queues. */
  QUEUES_FILE: z.string().optional(),
  TICK_MS: z.coerce.number().int().min(10).max(10_000).default(150),
  MATCHER_LEASE_MS: z.coerce.number().int().min(500).max(60_000).default(3_000),
  PROPOSAL_LEASE_MS: z.coerce.number().int().min(500).max(60_000).default(8_000),
});

/** @throws Error that names the place and the reason when the rules make no sense */
export function readQueues(file: string | undefined): readonly QueueRules[] {
  if (file === undefined) return defaultQueues;
  const read = z
    .array(QueueRulesSchema)
    .min(1)
    .safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!read.success) {
    const lines = read.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The queue rules in ${file} make no sense:\n${lines.join('\n')}`);
  }
  return read.data;
}
