import { Batcher } from '@muster/domain';
import { setImmediate as nextPoll } from 'node:timers/promises';
import type { RedisConnection } from './connect.js';
import type { Replicas } from './replicated.js';

/** A Lua script, identified by the SHA-1 of its text. */
export interface Script {
  readonly name: string;
  readonly sha: string;
  readonly lua: string;
  /**
   * A call may carry the arguments of many items, one after another. The reply has for each item the number of its values
   * and the values, or -1 and an error.
   */
  readonly many?: boolean;
}

/**
 * Runs a script for one realm. Every script returns a flat list of strings.
 *
 * @param weight the time that it takes in units of one ticket, 1 by default: limits what shares a call with it
 */
export type ScriptRunner = (script: Script, args: readonly string[], weight?: number) => Promise<string[]>;

/** An item of a script that takes many. */
interface Item {
  readonly script: Script;
  readonly args: readonly string[];
  readonly weight: number;
}

/** An item failed. The other items of its call were handled. */
export class ScriptItemFailed extends Error {}

/**
 * The most tickets in one call, unless a single item has more. A script blocks the server: this many take a few
 * milliseconds.
 */
const ticketsAtOnce = 200;
/** The most items that are taken from those that wait. They may take several calls. */
const itemsAtOnce = 1_000;

/**
 * Runs scripts by hash, and sends the text only if the server does not know it (after a restart). Items of one script that
 * are requested in one turn of the event loop, or while a call of it runs, share a call; each of them succeeds or fails
 * alone.
 *
 * @param root the realm's root key with its hash tag; every key of a script derives from it
 * @param replicas acknowledges each call when replicas hold its writes; without it, the master's answer does
 */
export function scriptRunner(redis: RedisConnection, root: string, replicas?: Replicas): ScriptRunner {
  const evaluate = (script: Script, args: readonly string[]): Promise<unknown> =>
    redis.evalsha(script.sha, 1, root, ...args).catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT'))
        return redis.eval(script.lua, 1, root, ...args);
      throw error;
    });
  const call = async (script: Script, args: readonly string[]): Promise<string[]> => {
    const reply = await (replicas ? replicas.hold(() => evaluate(script, args)) : evaluate(script, args));
    if (!Array.isArray(reply))
      throw new TypeError(`script ${script.name} answered ${typeof reply}, not a list`);
    return reply.map(String);
  };

  const callMany = async (items: readonly Item[]): Promise<readonly Settled[]> => {
    const [first] = items;
    if (!first) return [];
    const args = items.flatMap((item) => item.args);
    return call(first.script, args).then(
      (reply) => answersIn(first.script, reply, items.length),
      (error: unknown) => items.map(() => ({ error })),
    );
  };

  // One call after the other: in between, the server serves other clients.
  const runAll = async (items: readonly Item[]): Promise<Settled[]> => {
    const settled: Settled[] = [];
    for (const some of callsOf(items)) settled.push(...(await callMany(some)));
    return settled;
  };
  const batches = new Batcher<Item, Settled>(
    itemsAtOnce,
    runAll,
    () => false,
    () => nextPoll(),
  );

  return async (script, args, weight = 1) => {
    if (!script.many) return call(script, args);
    const settled = await batches.submit(script.name, { script, args, weight });
    if ('error' in settled) throw settled.error;
    return settled.values;
  };
}

type Settled = { readonly values: string[] } | { readonly error: unknown };

/** Divides items into calls, in order. */
function callsOf(items: readonly Item[]): Item[][] {
  const calls: Item[][] = [];
  let call: Item[] = [];
  let weight = 0;
  for (const item of items) {
    if (call.length > 0 && weight + item.weight > ticketsAtOnce) {
      calls.push(call);
      call = [];
      weight = 0;
    }
    call.push(item);
    weight += item.weight;
  }
  return call.length > 0 ? [...calls, call] : calls;
}

function answersIn({ name }: Script, reply: readonly string[], items: number): Settled[] {
  const answers: Settled[] = [];
  for (let at = 0; at < reply.length;) {
    const count = Number(reply[at]);
    const end = at + 1 + (count < 0 ? 1 : count);
    const values = reply.slice(at + 1, end);
    answers.push(
      count < 0 ? { error: new ScriptItemFailed(`script ${name} failed: ${values.join('')}`) } : { values },
    );
    at = end;
  }
  if (answers.length !== items)
    throw new TypeError(`script ${name} answered ${answers.length} of ${items} items`);
  return answers;
}
