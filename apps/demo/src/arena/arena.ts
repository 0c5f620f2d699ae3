import { own, seededRandom, type Random } from '@muster/domain';
import { policies } from '@muster/live-balance';
import { pause, RoundsClient, type Policy } from '@muster/sdk';
import { writeFile } from 'node:fs/promises';
import { CommunityServer, type Story } from './community-server.js';
import { drawn, nextTraffic, type CrowdRules } from './crowd.js';
import { chanceOf } from './match.js';
import { tracesPlot } from './plot.js';
import { quickened } from './policy.js';
import type { ArenaReport } from './report.js';

export interface ArenaOptions {
  readonly url: string;
  readonly serverKey: string;
  readonly pool: string;
  /** The name of a policy, compared with none. */
  readonly policy: string;
  /** Number of people who know the server. */
  readonly players: number;
  readonly seed: number;
  readonly plotFile: string;
}

/** A story and its server. */
export interface ArenaStory extends Story {
  readonly policy: string;
}

const momentMs = 125;
/** Moments that people stay on average: 15 s, which stands for five minutes at the demo's pace. */
const stay = 120;
/** Rounds played before the demo: the ratings have some information about the players. */
const historyRounds = 80;

interface Side {
  readonly policy: string;
  readonly server: CommunityServer;
}

/**
 * Two community servers side by side: people join and leave at the same moments on both, and nearly always the same ones.
 * One has a policy of live balance, the other has none.
 */
export class Arena {
  private readonly ending = new AbortController();
  private readonly people: readonly string[];
  private readonly crowd: CrowdRules;
  private readonly traffic: Random;
  private readonly sides: readonly Side[];
  private readonly history: RoundsClient;
  private moments = 0;
  private running: Promise<void> = Promise.resolve();
  private plot: string | null = null;

  constructor(
    private readonly options: ArenaOptions,
    private readonly tell: (line: ArenaStory) => void,
  ) {
    const { players, seed, policy } = options;
    this.people = Array.from({ length: players }, (_, i) => `arena-${String(i + 1).padStart(4, '0')}`);
    const usually = Math.min(40, Math.max(8, Math.round(players / 4)));
    this.crowd = { people: players, usually, stay };
    this.traffic = seededRandom(seed);
    this.history = this.coordinator('before');
    this.sides = [this.side(policy, quickened(policy)), this.side('none', 'none')];
  }

  /** Resolves when both matches run. @throws MusterProblem, or the network's error */
  async start(): Promise<void> {
    await this.reportHistory();
    const first = drawn(
      this.people.map((playerId) => ({ playerId, weight: 1 })),
      this.crowd.usually,
      `first ${this.options.seed}`,
    );
    await Promise.all(this.sides.map(({ server }) => server.open(first)));
    this.running = this.run();
  }

  /** Ends after the current moment, and draws the traces. */
  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
    const svg = tracesPlot(
      this.sides.map(({ policy, server }) => ({ policy, moments: server.trace.moments })),
    );
    await writeFile(this.options.plotFile, svg);
    this.plot = this.options.plotFile;
  }

  get report(): ArenaReport {
    return {
      demo: 'arena',
      seconds: (this.moments * momentMs) / 1000,
      plot: this.plot,
      servers: this.sides.map(({ policy, server }) => ({
        policy,
        fairShare: server.trace.fairShare,
        moves: server.moves,
        playersMoved: server.moved.size,
        scrambles: server.scrambles,
        roundsRated: server.roundsRated,
      })),
    };
  }

  private coordinator(server: string): RoundsClient {
    const { url, serverKey, pool } = this.options;
    return new RoundsClient({ url, serverKey, pool, server: `arena-${server}`, timeoutMs: 5_000 });
  }

  private side(name: string, policy: Policy): Side {
    const server = new CommunityServer(this.coordinator(name), {
      policy,
      scrambles: own(policies, name)?.scramble !== null,
      people: this.people,
      seed: this.options.seed,
      momentMs,
      tell: (story) => this.tell({ policy: name, ...story }),
    });
    return { policy: name, server };
  }

  /** Plays moment by moment. Slow answers delay both servers, so that neither gets ahead. */
  private async run(): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      const began = Date.now();
      const present = this.sides[0]?.server.present ?? 0;
      const traffic = nextTraffic(this.crowd, present, this.traffic);
      await Promise.all(this.sides.map(({ server }) => server.moment(traffic, began)));
      this.moments++;
      await pause(Math.max(0, momentMs - (Date.now() - began)), signal).catch(() => undefined);
    }
  }

  /** Reports the earlier rounds, once: not if the pool already has ratings. */
  private async reportHistory(): Promise<void> {
    const known = await this.history.players(this.people.slice(0, 200));
    if (known.some(({ rounds }) => rounds > 0)) return;
    const random = seededRandom(this.options.seed);
    const everybody = this.people.map((playerId) => ({ playerId, weight: 1 }));
    const now = Date.now();
    for (let n = 0; n < historyRounds && !this.ending.signal.aborted; n++) {
      const playing = drawn(everybody, this.crowd.usually, `round ${n} before ${this.options.seed}`);
      const middle = Math.floor(playing.length / 2);
      const [first, second] = [playing.slice(0, middle), playing.slice(middle)];
      const winner = random() < chanceOf([first, second]) ? 0 : 1;
      const playedAt = now - (historyRounds - n) * 600_000;
      await this.history.roundEnded({ teams: [first, second], winner, map: 'arena_demo', playedAt });
    }
  }
}
