import {
  jobsRoot,
  realmRoot,
  scanKeys,
  scriptRunner,
  type RedisConnection,
  type ScriptRunner,
} from '@muster/redis';
import { setTimeout as sleep } from 'node:timers/promises';
import * as scripts from '../generated/scripts.js';
import { standingAlone, type Rename } from './rename.js';

/** Keys that one script reads at a time. */
const keysAtOnce = 100;
const entriesAtOnce = 500;

/** Readers of streams have an entry after this time, or read the state instead, in milliseconds. */
const readAfterMs = 5_000;

/** What was replaced. */
export interface RenamedInKeys {
  /** Keys that were read. */
  readonly keys: number;
  readonly changed: number;
  /** Keys of the player, and entries of streams that named it. */
  readonly deleted: number;
}

/** What Redis has of players. The text of scripts on keys of a service is in the service's `lua/include`. */
export class RedisPlayerKeys {
  private readonly run: ScriptRunner;

  constructor(
    private readonly redis: RedisConnection,
    private readonly realm: string,
  ) {
    this.run = scriptRunner(redis, realmRoot(realm));
  }

  /** Keeps a player out of the queue. @returns false for a player who is queued or in a match */
  async hold(playerId: string): Promise<boolean> {
    return (await scripts.holdPlayer(this.run, { playerId }))[0] === 'held';
  }

  async letGo(playerId: string): Promise<void> {
    await scripts.letGo(this.run, { playerId });
  }

  /** The open ticket of a player with its fields as they are stored; null without one. */
  async openTicketOf(playerId: string): Promise<{ ticketId: string; fields: Record<string, string> } | null> {
    const [ticketId, ...flat] = await scripts.openTicketOf(this.run, { playerId });
    if (ticketId === undefined) return null;
    const names = flat.filter((_, i) => i % 2 === 0);
    return { ticketId, fields: Object.fromEntries(names.map((name, i) => [name, flat[2 * i + 1] ?? ''])) };
  }

  /**
   * Removes a player's id from all keys of the realm and of its jobs. Values are rewritten with the alias in its place; keys of
   * the player and entries of streams are deleted. It reads every key once, a hundred at a time, while others work.
   *
   * @param rewrites whether texts are rewritten. False for an id that is also a word of the system, such as the name of a queue:
   *   texts do not tell one from the other, so they keep it until they expire
   * @param onKeys called with the number of keys read so far
   */
  async rename(
    { id, alias }: Rename,
    rewrites: boolean,
    onKeys: (keys: number) => void = () => undefined,
  ): Promise<RenamedInKeys> {
    const total = { keys: 0, changed: 0, deleted: 0 };
    const streams = new Set<string>();
    // They share a hash tag, so one script reads keys of both.
    for (const root of [realmRoot(this.realm), jobsRoot(this.realm)])
      for await (const keys of scanKeys(this.redis, `${root}:*`, keysAtOnce)) {
        const [changed, deleted, ...found] = await scripts.eraseKeys(this.run, {
          keys,
          id,
          alias,
          rewrites: rewrites ? 1 : 0,
        });
        total.keys += keys.length;
        total.changed += Number(changed);
        total.deleted += Number(deleted);
        for (const stream of found) streams.add(stream);
        onKeys(total.keys);
      }
    if (streams.size === 0) return total;
    await sleep(readAfterMs);
    for (const stream of streams) total.deleted += await this.deleteEntries(stream, standingAlone(id));
    return total;
  }

  /** Deletes the entries of a stream that name an id. */
  private async deleteEntries(stream: string, id: RegExp): Promise<number> {
    let deleted = 0;
    for (let from = '-'; ;) {
      const entries = await this.redis.xrange(stream, from, '+', 'COUNT', entriesAtOnce);
      const naming = entries.filter(([, fields]) => fields.some((text) => id.test(text)));
      if (naming.length > 0) deleted += await this.redis.xdel(stream, ...naming.map(([entry]) => entry));
      const last = entries.at(-1);
      if (!last || entries.length < entriesAtOnce) return deleted;
      from = `(${last[0]}`;
    }
  }
}
