import { Background, Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { WatchMemory } from './watch-memory.js';

/** Notices within this time that Redis lost memory, in milliseconds. */
const lookMs = 500;
/** The pause between two passes after a loss, or between two pages at other times, in milliseconds. */
const compareMs = 5_000;

/** A comparison rests for so many times as long as a page took: players queue meanwhile, and it has time. */
const restFactor = 9;

/** Watches the memory of tickets, and compares it with the matches. */
@Injectable()
export class RecoveryLoops {
  constructor(
    @Inject(WatchMemory) private readonly watch: WatchMemory,
    @Inject(Background) private readonly background: Background,
  ) {}

  @Every('ticket memory', lookMs)
  look(): Promise<void> {
    return this.watch.look();
  }

  @Every('ticket comparison', compareMs)
  async compare(): Promise<boolean> {
    const began = performance.now();
    const isMore = await this.watch.compare();
    if (isMore) await this.rest(restFactor * (performance.now() - began));
    return isMore;
  }

  private async rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.background.signal }).catch(() => undefined);
  }
}
