import { clockJumps } from './clock.js';
import { diskFills } from './disk.js';
import { failsOver } from './fail-over.js';
import { flood } from './floods.js';
import { dropsReplies } from './network.js';
import { postgresFaults } from './postgres.js';
import { kill, stopFor } from './processes.js';
import { redisFaults } from './redis.js';
import type { Row } from './row.js';

const services = ['queue', 'assignment', 'allocator', 'rating'] as const;

/** The time that a stop, a store's outage or a flood lasts, in seconds. */
const stopSeconds = 30;

/** Every fault of `npm run test:faults`, in the order of the table. */
export const rows: readonly Row[] = [
  ...services.map((name) => kill(name)),
  kill('edge'),
  kill('everything but the stores', [...services, 'edge']),
  ...services.map((name) => stopFor(name, stopSeconds)),
  stopFor('redis', stopSeconds),
  stopFor('postgres', stopSeconds),
  ...postgresFaults,
  ...redisFaults,
  failsOver('sentinel'),
  failsOver('cluster'),
  dropsReplies('postgres'),
  dropsReplies('redis'),
  flood('streams'),
  flood('polls'),
  flood('slow-bodies'),
  clockJumps,
  diskFills,
];

/** One fault of each kind. */
export const shortRows: readonly string[] = [
  'kill-allocator',
  'stop-queue',
  'postgres-immediate',
  'redis-script-flush',
  'postgres-drops-replies',
  'redis-full',
];

/**
 * The rows that are asked for.
 *
 * @param names names of rows; all if empty
 * @returns null if one of the names is unknown
 */
export function rowsNamed(names: readonly string[]): readonly Row[] | null {
  if (names.length === 0) return rows;
  const known = new Map(rows.map((row) => [row.name, row]));
  const found = names.flatMap((name) => known.get(name) ?? []);
  return found.length === names.length ? found : null;
}
