import type { Ids } from '@muster/domain';
import type { Db, Reads } from '@muster/db';
import type { RedisTarget } from '@muster/redis';
import type { MatchSteps, Meter, Traces } from '@muster/contracts';
import type { ServiceSettings } from './config.js';
import { token } from './construct.js';
import type { Log } from './logging.js';

/** The settings of this service. A service with settings of its own declares a token of its own type for this. */
export const SETTINGS = token<ServiceSettings>('settings');
export const LOG = token<Log>('log');
/** Takes what happens in this process. */
export const METER = token<Meter>('meter');
/** Null where no traces are made. */
export const TRACES = token<Traces | null>('traces');
export const MATCH_STEPS = token<MatchSteps | null>('steps of matches');
/** Where Redis is and how to connect to it. */
export const REDIS = token<RedisTarget>('Redis');
export const DB = token<Db>('database');
/** For histories and exports, which may be a little old: a read replica where there is one. */
export const READS = token<Reads>('reads');
export const IDS = token<Ids>('ids');
/** Relays the outbox entries of a commit immediately. */
export const AFTER_COMMIT = token<() => void>('after commit');
