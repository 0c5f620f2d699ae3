import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { WatchMemory } from './watch-memory.js';

/** Notices within this time that Redis lost memory, in milliseconds. */
const lookMs = 500;
/** The pause between two passes after a loss, or between two pages at other times, in milliseconds. */
const compareMs = 5_000;

/** Watches the memory of tickets, and compares it with the matches. */
@Injectable()
export class RecoveryLoops {
  constructor(@Inject(WatchMemory) private readonly watch: WatchMemory) {}

  @Every('ticket memory', lookMs)
  look(): Promise<void> {
    return this.watch.look();
  }

  @Every('ticket comparison', compareMs)
  compare(): Promise<boolean> {
    return this.watch.compare();
  }
}
