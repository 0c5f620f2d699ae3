import { seededRandom } from '@muster/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../support/stack.js';

const pool = 'league';
const players = 24;
/** Each match is reported twice, as a caller does that did not hear the first answer. */
const times = 2;

/** A community server without a queue: it reports whole matches. */
export class League {
  /** Matches whose report was answered, by event. */
  readonly reported = new Map<string, string>();
  /** Events with two different answers, and refused ones. */
  readonly wrong: string[] = [];
  private readonly ending = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly stack: Stack) {}

  async start(): Promise<void> {
    await this.stack.operator.createPool({ name: pool });
    this.running = this.play();
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  private async play(): Promise<void> {
    const random = seededRandom(11);
    for (let i = 0; !this.ending.signal.aborted; i++) {
      const first = Math.floor(random() * players);
      const teams = [
        [`league-${first}`],
        [`league-${(first + 1 + Math.floor(random() * (players - 1))) % players}`],
      ];
      const ranks = random() < 0.5 ? [1, 2] : [2, 1];
      for (let k = 0; k < times; k++) await this.report(`league-${i}`, teams, ranks);
      await sleep(200);
    }
  }

  private async report(eventId: string, teams: string[][], ranks: number[]): Promise<void> {
    try {
      const { matchId } = await this.stack.operator.reportMatch({ eventId, pool, teams, ranks });
      const before = this.reported.get(eventId);
      if (before !== undefined && before !== matchId)
        this.wrong.push(`${eventId} is ${before} and ${matchId}`);
      this.reported.set(eventId, matchId);
    } catch (error) {
      this.wrong.push(`${eventId}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
