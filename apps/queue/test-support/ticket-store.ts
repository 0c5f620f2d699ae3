import type { Lease, OverdueReadyCheck } from '@muster/domain';
import type { RedisConnection, ReplicatedConnection } from '@muster/redis';
import { createHash } from 'node:crypto';
import { RedisTicketStore } from '../src/core/ticket.store.js';

/** Where a script asks whether a realm's memory is whole, and for the server's clock. */
const memoryAsked = "call('HGET', memory_key, name) == run_id()";
const clockAsked = "call('TIME')";
/** The last argument, which {@link onTestServer} adds, in the form of the server's answer. */
const clockGiven = '{ math.floor(ARGV[#ARGV] / 1000), (ARGV[#ARGV] % 1000) * 1000 }';

/**
 * A connection to a server whose memory of tickets counts as whole, and whose clock stands at the time that a test gives.
 *
 * @param now milliseconds since the epoch; null: the server's own clock
 */
function onTestServer(redis: RedisConnection, now: () => number | null): RedisConnection {
  const rewritten = new Map<string, { readonly sha: string; readonly asksClock: boolean }>();
  const argumentsOf = (args: readonly string[], asksClock: boolean): string[] =>
    asksClock ? [...args, String(now())] : [...args];
  const evalsha = (sha: string, keys: number, root: string, ...args: string[]): Promise<unknown> => {
    const known = rewritten.get(sha);
    if (!known) return Promise.reject(new Error('NOSCRIPT'));
    return redis.evalsha(known.sha, keys, root, ...argumentsOf(args, known.asksClock));
  };
  const evaluate = (lua: string, keys: number, root: string, ...args: string[]): Promise<unknown> => {
    const body = lua.slice(lua.indexOf('local function one(arg)'));
    const asksClock = now() !== null && /\b(?:server_time|is_deaf)\(\)/.test(body);
    const whole = lua.replace(memoryAsked, 'true');
    const text = asksClock ? whole.replace(clockAsked, clockGiven) : whole;
    rewritten.set(sha1(lua), { sha: sha1(text), asksClock });
    return redis.eval(text, keys, root, ...argumentsOf(args, asksClock));
  };
  return new Proxy(redis, {
    get(target, name) {
      if (name === 'evalsha') return evalsha;
      if (name === 'eval') return evaluate;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

/** A ticket store without a service around it: nobody watches its memory, which counts as whole. */
export class UnwatchedTicketStore extends RedisTicketStore {
  constructor(
    redis: RedisConnection,
    root: string,
    safe: ReplicatedConnection | null = null,
    now: () => number | null = () => null,
    tellsOfNew = false,
  ) {
    super(
      onTestServer(redis, now),
      root,
      safe && { ...safe, redis: onTestServer(safe.redis, now) },
      tellsOfNew,
    );
  }
}

/** One whose leases and outages follow the times that a test gives, in place of the server's clock. */
export class SteppedTicketStore extends UnwatchedTicketStore {
  private readonly clock: { at: number };

  constructor(redis: RedisConnection, root: string) {
    const clock = { at: 0 };
    super(redis, root, null, () => clock.at);
    this.clock = clock;
  }

  override acquireLease(queue: string, holder: string, ttlMs: number, now = 0): Promise<Lease | null> {
    this.clock.at = now;
    return super.acquireLease(queue, holder, ttlMs);
  }

  override overdueReadyChecks(now: number, limit: number, deafMs?: number): Promise<OverdueReadyCheck[]> {
    this.clock.at = now;
    return super.overdueReadyChecks(now, limit, deafMs);
  }

  override endReadyCheck(...args: Parameters<RedisTicketStore['endReadyCheck']>): Promise<void> {
    [, , , this.clock.at] = args;
    return super.endReadyCheck(...args);
  }
}
