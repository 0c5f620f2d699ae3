import { Background, Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { WatchMemory } from './watch-memory.js';

/** Notices within this time that Redis lost memory, in milliseconds. */
const lookMs = 500;
/** The pause between two passes after a loss, or between two pages at other times, in milliseconds. */
const compareMs = 5_000;

/**
 * A comparison rests for so many times as long as a page took: players queue meanwhile. Matches that were formed around a loss
 * come first; the pass over all of them finds little, and has time.
 */
const restFactors = { recent: 9, all: 49 };

/** Watches the memory of tickets, and compares it with the matches. */
@Injectable()
export class RecoveryLoops {
  constructor(
    @Inject(WatchMemory) private readonly watch: WatchMemory,
    @Inject(Background) private readonly background: Background,
  ) {}

  @Every('ticket memory', lookMs, { mayTakeLong: true })
  look(): Promise<void> {
    return this.watch.look();
  }

  @Every('ticket comparison', compareMs, { mayTakeLong: true })
  async compare(): Promise<boolean> {
    const began = performance.now();
    const compared = await this.watch.compare();
    if (!compared) return false;
    await this.rest(restFactors[compared] * (performance.now() - began));
    return true;
  }

  private async rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.background.signal }).catch(() => undefined);
  }
}
