import { flawText, readRulesText } from '@muster/contracts';
import {
  message,
  playerRequestKinds,
  type Message,
  type PlayerRequestKind,
  type QueueRules,
} from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { grpcAddress, serviceSettings, SETTINGS, type Token } from '@muster/platform';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';

const fromEnvironment = serviceSettings.extend({
  /** gRPC targets, such as `dns:///rating:50051`. */
  RATING_GRPC: grpcAddress,
  ASSIGNMENT_GRPC: grpcAddress,
  /** Without it, nobody can leave a match that finds no server: the previous release did not ask the allocator. */
  ALLOCATOR_GRPC: grpcAddress.optional(),
  /** A rules document, YAML or JSON, for queues that have no rules yet; without it, the built-in queues are created. */
  QUEUES_FILE: z.string().optional(),
  TICK_MS: z.coerce.number().int().min(10).max(10_000).default(150),
  MATCHER_LEASE_MS: z.coerce.number().int().min(500).max(60_000).default(3_000),
  /** Most players on one avoid-list. */
  AVOID_LIMIT: z.coerce.number().int().min(0).max(200).default(20),
  /** Half-life of a report on a player's behaviour, in days. */
  BEHAVIOUR_HALF_LIFE_DAYS: z.coerce.number().min(0.01).max(365).default(14),
  /** The retention of penalties and of reports on behaviour; what still counts is kept longer. */
  STANDING_RETENTION_DAYS: z.coerce.number().min(1).max(3_650).default(365),
  /** Requests about their own data that are taken from players. */
  DATA_REQUESTS: z.enum(['none', 'export', 'erasure', 'both']).default('none'),
  /** The retention of such requests once they are done; then a player may ask again. */
  DATA_REQUEST_DAYS: z.coerce.number().min(1).max(3_650).default(30),
  /** The retention of the audit log. */
  AUDIT_RETENTION_DAYS: z.coerce.number().min(31).max(3_650).default(400),
  /** Whether events of tickets are copied to the events for other systems: three to six rows a ticket. */
  TICKET_EVENTS: z.enum(['on', 'off']).default('off'),
  PROPOSAL_LEASE_MS: z.coerce.number().int().min(500).max(60_000).default(8_000),
});

/** The settings of the environment, with the rules in QUEUES_FILE. An invalid file throws before anything starts. */
export const queueSettings = fromEnvironment.transform((settings) => ({
  ...settings,
  seeds: readQueues(settings.QUEUES_FILE),
}));
export type QueueSettings = z.infer<typeof queueSettings>;

/** The settings of this service, for its providers. */
export const QUEUE_SETTINGS: Token<QueueSettings> = SETTINGS as Token<QueueSettings>;

/** The requests about their own data that players may make. */
export function takenRequests({
  DATA_REQUESTS: taken,
}: Pick<QueueSettings, 'DATA_REQUESTS'>): PlayerRequestKind[] {
  return playerRequestKinds.filter((kind) => taken === 'both' || taken === kind);
}

/** Rules for queues that have none yet, with their source. */
export interface Seeds {
  readonly rules: readonly QueueRules[];
  readonly why: readonly Message[];
}

/** @throws Error with one line per flaw and its position */
export function readQueues(file: string | undefined): Seeds {
  if (file === undefined) return { rules: defaultQueues, why: [message('rules.built-in')] };
  const read = readRulesText(textOf(file), { LineCounter, parseDocument });
  if (read.ok) return { rules: read.queues, why: [message('rules.from-file', { file: basename(file) })] };
  const lines = read.flaws.map((flaw) => `  ${flawText(file, flaw)}`);
  throw new Error(`The queue rules in QUEUES_FILE make no sense:\n${lines.join('\n')}`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`QUEUES_FILE cannot be read: ${why}`, { cause: error });
  }
}
