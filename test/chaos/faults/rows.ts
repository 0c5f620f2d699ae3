import { clockJumps } from './clock.js';
import { diskFills } from './disk.js';
import { failsOver } from './fail-over.js';
import { flood } from './floods.js';
import { databaseLost } from './lost-database.js';
import { dropsReplies, halfOpen } from './network.js';
import { postgresFaults } from './postgres.js';
import { kill, stopFor } from './processes.js';
import { redisFaults } from './redis.js';
import type { Row } from './row.js';
import { together } from './together.js';

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
  // Servers are lost after 10 s of silence: of all of them, when nobody can be heard.
  stopFor('edge', 14, 'stop-edge-14'),
  stopFor('edge', 60, 'stop-edge-60'),
  ...postgresFaults,
  ...redisFaults,
  failsOver('sentinel'),
  failsOver('cluster'),
  dropsReplies('postgres'),
  dropsReplies('redis'),
  halfOpen('redis', 'both'),
  halfOpen('redis', 'requests'),
  halfOpen('redis', 'answers'),
  halfOpen('postgres', 'both'),
  halfOpen('postgres', 'requests'),
  halfOpen('postgres', 'answers'),
  together(stopFor('postgres', 10), kill('allocator')),
  together(stopFor('queue', 14), stopFor('redis', 10)),
  together(halfOpen('redis', 'both'), kill('queue')),
  together(halfOpen('postgres', 'both'), stopFor('allocator', 14)),
  databaseLost,
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
