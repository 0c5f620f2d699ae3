import { ServerClient } from '@muster/sdk';

/** What a fleet saw. A slot too many would be the coordinator's fault. */
export interface FleetReport {
  sessions: number;
  reported: Map<string, { ranks: number[]; matchId: string }>;
  overCommitted: number;
  refusedReports: string[];
  /** What the servers' clients had to mend, by its words. */
  trouble: Map<string, number>;
}

/** Dedicated servers in this process: they accept every session, play it for a while and report a result. */
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
              // One that the coordinator ended meanwhile has no result.
              () => void (open.has(sessionId) && this.finish(client, sessionId, matchId, teams, end)),
            );
          },
          endSession: end,
          trouble: (error) => {
            const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
            this.report.trouble.set(words, (this.report.trouble.get(words) ?? 0) + 1);
          },
          cpuLoad: () => Math.min(1, open.size / slots),
        },
      );
      await client.start();
      this.clients.push(client);
    }
  }

  /** Waits until no report is under way any more. */
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
    // An order may still come in while the servers leave; its match would keep this process alive.
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      then();
    }, ms);
    this.timers.add(timer);
  }
}
