import type { Redis } from 'ioredis';

/** A Lua script, identified by the SHA-1 of its text. */
export interface Script {
  readonly name: string;
  readonly sha: string;
  readonly lua: string;
}

/** Runs a script for one realm. Every script returns a flat list of strings. */
export type ScriptRunner = (script: Script, args: readonly string[]) => Promise<string[]>;

/**
 * Runs scripts by hash, and sends the text only if the server does not know it (after a restart).
 *
 * @param root the realm's root key with its hash tag; every key of a script derives from it
 */
export function scriptRunner(redis: Redis, root: string): ScriptRunner {
  return async (script, args) => {
    const reply: unknown = await redis.evalsha(script.sha, 1, root, ...args).catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT'))
        return redis.eval(script.lua, 1, root, ...args);
      throw error;
    });
    if (!Array.isArray(reply))
      throw new TypeError(`script ${script.name} answered ${typeof reply}, not a list`);
    return reply.map(String);
  };
}
