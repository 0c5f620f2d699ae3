import { grpcAddress, grpcSettings, serviceSettings, SETTINGS, type Token } from '@muster/platform';
import { z } from 'zod';
import { networksIn, type Network } from './networks.js';

export const assignmentSettings = serviceSettings.extend({
  ...grpcSettings.shape,
  RATING_GRPC: grpcAddress,
  /** Threads that solve team problems for callers of the HTTP interface. */
  SOLVER_THREADS: z.coerce.number().int().min(1).max(64).default(2),
  /** How long verdicts on proposals are kept. */
  RETENTION_DAYS: z.coerce.number().min(1).max(3_650).default(30),
  /** How long events and their deliveries are kept. */
  EVENT_DAYS: z.coerce.number().min(1).max(90).default(7),
  /** Networks that webhooks may reach beside public addresses, and by http too. */
  WEBHOOK_NETWORKS: z
    .string()
    .default('')
    .transform((text, context): Network[] => {
      const networks = networksIn(text);
      if (networks !== null) return networks;
      context.addIssue({
        code: 'custom',
        message: 'must be networks with commas, such as 10.0.0.0/8,fd00::/8',
      });
      return z.NEVER;
    }),
});
export type AssignmentSettings = z.infer<typeof assignmentSettings>;

/** The settings of this service, for its providers. */
export const ASSIGNMENT_SETTINGS: Token<AssignmentSettings> = SETTINGS as Token<AssignmentSettings>;
