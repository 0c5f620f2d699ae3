import { ServerClient } from '@muster/sdk';

/** The observations of a fleet. An overcommitted slot would be the coordinator's error. */
export interface FleetReport {
  sessions: number;
  reported: Map<string, { ranks: number[]; matchId: string }>;
  overCommitted: number;
  refusedReports: string[];
  /** Errors that the servers' clients retried, by message. */
  trouble: Map<string, number>;
}

/** Dedicated servers in this process: they accept every session, run it for a while and report a result. */
export class Fleet {
  readonly report: FleetReport = {
    sessions: 0,
    reported: new Map(),
    overCommitted: 0,
    refusedReports: [],
    trouble: new Map(),
  };
  private readonly clients: ServerClient[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private stopped = false;

  constructor(
    private readonly options: {
      url: string;
      serverKey: string;
      servers: number;
      slots: number;
      build: string;
      region: string;
      matchMs: () => number;
      ranks: (teams: readonly (readonly string[])[]) => number[];
    },
  ) {}

  async start(): Promise<void> {
    const { url, serverKey, servers, slots, build, region } = this.options;
    for (let i = 1; i <= servers; i++) {
      const open = new Set<string>();
      const end = (sessionId: string): void => void open.delete(sessionId);
      const client: ServerClient = new ServerClient(
        {
          url,
          serverKey,
          server: { serverId: `fleet-${i}`, region, build, host: '127.0.0.1', port: 20_000 + i, slots },
        },
        {
          createSession: async (sessionId, { teams, matchId }) => {
            if (open.has(sessionId)) return;
            open.add(sessionId);
            this.report.sessions++;
            if (open.size > slots) this.report.overCommitted++;
            this.later(
              this.options.matchMs(),
              // A session that the coordinator ended has no result.
              () => void (open.has(sessionId) && this.finish(client, sessionId, matchId, teams, end)),
            );
          },
          endSession: end,
          trouble: (error) => {
            const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
            this.report.trouble.set(words, (this.report.trouble.get(words) ?? 0) + 1);
          },
          cpuLoad: () => Math.min(1, open.size / slots) * 0.8,
        },
      );
      await client.start();
      this.clients.push(client);
    }
  }

  /** Waits until no report is pending. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all(this.clients.map((client) => client.stop()));
  }

  private async finish(
    client: ServerClient,
    sessionId: string,
    matchId: string,
    teams: readonly (readonly string[])[],
    end: (sessionId: string) => void,
  ): Promise<void> {
    if (this.stopped) return;
    const ranks = this.options.ranks(teams);
    try {
      await client.report(sessionId, { ranks });
      this.report.reported.set(sessionId, { ranks, matchId });
    } catch (error) {
      this.report.refusedReports.push(
        `${sessionId}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    end(sessionId);
  }

  private later(ms: number, then: () => void): void {
    // An order may arrive while the servers stop; its match would keep this process alive.
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      then();
    }, ms);
    this.timers.add(timer);
  }
}
