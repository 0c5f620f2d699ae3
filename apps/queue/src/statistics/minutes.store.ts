import { scriptRunner, type RedisConnection, type ScriptRunner } from '@muster/redis';
import * as scripts from '../generated/scripts.js';
import { readCounts, type Counts } from './distribution.js';

/** Times asked for in one call: a script blocks the server. */
const timesAtOnce = 100;

/** The counts of a queue at a time. */
export interface NotedCounts {
  /** The same for two times between which nobody noted any. */
  readonly id: string;
  readonly counts: Counts;
}

/**
 * What scripts counted of each queue, and notes of it: a stream with one entry a minute for two days. The history of any time is the
 * difference of two notes, so nothing is counted twice or missed, and a question costs what its answer is long.
 */
export class RedisMinutes {
  private readonly run: ScriptRunner;

  constructor(redis: RedisConnection, root: string) {
    this.run = scriptRunner(redis, root);
  }

  /**
   * Notes the counts of a queue, unless another replica did this minute.
   *
   * @param queue empty: the whole realm
   * @param seen amounts that are added to the counts
   */
  async note(queue: string, seen: Readonly<Record<string, number>>, now: number): Promise<void> {
    const pairs = Object.entries(seen).flatMap(([name, amount]) => [name, String(amount)]);
    await scripts.noteMinute(this.run, { queue, seen: pairs, now });
  }

  /** The counts at times, in rising order: as first noted at or after each, else as they are now. */
  async at(queue: string, times: readonly number[]): Promise<NotedCounts[]> {
    const found: NotedCounts[] = [];
    for (let from = 0; from < times.length; from += timesAtOnce) {
      const some = times.slice(from, from + timesAtOnce).map(String);
      const flat = await scripts.countsAt(this.run, { queue, times: some });
      for (let i = 0; i < flat.length; i += 2)
        found.push({ id: flat[i] ?? '', counts: readCounts(flat[i + 1] ?? '') });
    }
    return found;
  }
}
