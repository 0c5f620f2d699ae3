import type { AssignmentView } from '@muster/contracts';
import { seededRandom, seedOf, type Random } from '@muster/domain';
import { MusterProblem, pause, PlayerClient, TicketEnded } from '@muster/sdk';
import { setMaxListeners } from 'node:events';
import { connect } from 'node:net';
import { playerToken } from '@muster/embedded';
import { crews, type Crew } from '../population.js';

export interface PlayersOptions {
  readonly url: string;
  /** The login's private JWK, which signs the players' tokens. */
  readonly login: string;
  readonly players: number;
  readonly queue: string;
  readonly build: string;
  readonly region: string;
}

/** The states of the demo's tickets. An accepted ticket is followed to its end; one that disappears is lost. */
export type PlayersReport = ReturnType<typeof nothingReported>;

export function nothingReported() {
  return {
    ticketsAccepted: 0,
    ticketsLost: 0,
    cancelled: 0,
    /** Cancelled with a 200 and assigned all the same: must stay 0. */
    cancelBroken: 0,
    assigned: 0,
    ended: 0,
    /** Still waiting when the demo was told to end. */
    stillOpen: 0,
    joinsRefused: 0,
  };
}

/** Pause between a crew's matches, in milliseconds. */
const restMs = 1_500;

/** The demo's players: crews that queue, connect to their server, play, and queue again. */
export class Players {
  readonly report = nothingReported();
  private readonly ending = new AbortController();
  private readonly clients = new Map<string, PlayerClient>();
  private running: Promise<void>[] = [];

  constructor(private readonly options: PlayersOptions) {}

  async start(): Promise<void> {
    // One listener per open ticket, by design.
    setMaxListeners(0, this.ending.signal);
    for (const crew of crews(this.options.players)) {
      for (const playerId of crew.players) {
        const token = await playerToken(this.options.login, playerId);
        this.clients.set(playerId, new PlayerClient({ url: this.options.url, token }));
      }
      this.running.push(this.live(crew, seededRandom(seedOf(crew.players.join()))));
    }
  }

  /** Stops queueing; matches under way are played to their end. @param graceMs how long they may take */
  async stop(graceMs: number): Promise<void> {
    this.ending.abort();
    await Promise.race([Promise.all(this.running), new Promise((resolve) => setTimeout(resolve, graceMs))]);
  }

  private async live(crew: Crew, random: Random): Promise<void> {
    const stop = this.ending.signal;
    await rest(random() * 2_000, stop);
    while (!stop.aborted) {
      try {
        await this.round(crew, random);
      } catch (error) {
        // Problems and lost connections are expected: try again after a pause.
        if (!stop.aborted && !(error instanceof MusterProblem)) await rest(500, stop);
      }
      await rest(restMs * (0.5 + random()), stop);
    }
  }

  private client(playerId: string): PlayerClient {
    const client = this.clients.get(playerId);
    if (!client) throw new Error(`no client for ${playerId}`);
    return client;
  }

  /** One ticket, from the queue to its end. */
  private async round({ players }: Crew, random: Random): Promise<void> {
    const [leaderId = '', ...memberIds] = players;
    const leader = this.client(leaderId);
    const partyPasses = await Promise.all(
      memberIds.map((memberId) => this.client(memberId).partyPass(leaderId)),
    );
    const { queue, build, region } = this.options;
    const latencyMs = { [region]: Math.round(10 + 30 * random()) };
    const { ticketId } = await leader.enqueue({ queue, build, latencyMs, partyPasses });
    this.report.ticketsAccepted++;
    const cancelled = random() < 0.03 && (await this.cancelIfWaiting(leader, ticketId, random));
    await this.follow(leader, ticketId, players, cancelled);
  }

  private async cancelIfWaiting(leader: PlayerClient, ticketId: string, random: Random): Promise<boolean> {
    await rest(random() * 1_000, this.ending.signal);
    const cancelled = await leader.cancel(ticketId);
    if (cancelled) this.report.cancelled++;
    return cancelled;
  }

  private async follow(
    leader: PlayerClient,
    ticketId: string,
    players: readonly string[],
    cancelled: boolean,
  ): Promise<void> {
    const leave = (): void => {
      // A ticket that only waits is cancelled; a matched one is played to its end.
      void leader.cancel(ticketId).catch(() => undefined);
    };
    this.ending.signal.addEventListener('abort', leave, { once: true });
    if (this.ending.signal.aborted) leave();
    this.report.stillOpen++;
    try {
      for await (const events of leader.follow(ticketId)) {
        if (events.assignment && events.matchState === 'placed') {
          this.report.assigned++;
          if (cancelled) this.report.cancelBroken++;
          void this.join(players, ticketId, events.assignment);
        }
      }
      this.report.ended++;
    } catch (error) {
      if (error instanceof MusterProblem && error.code === 'ticket-not-found') this.report.ticketsLost++;
      else if (!(error instanceof TicketEnded)) throw error;
    } finally {
      this.report.stillOpen--;
      this.ending.signal.removeEventListener('abort', leave);
    }
  }

  /** Every member connects with their own join token. */
  private async join(
    players: readonly string[],
    ticketId: string,
    { host, port }: AssignmentView,
  ): Promise<void> {
    await Promise.all(
      players.map(async (playerId) => {
        const ticket = await this.client(playerId)
          .read(ticketId)
          .catch(() => null);
        if (!ticket?.assignment) return;
        const socket = connect({ host, port });
        socket.on('error', () => socket.destroy());
        socket.on('data', (data) => {
          if (data.toString().startsWith('REFUSED')) this.report.joinsRefused++;
        });
        socket.write(`${ticket.assignment.joinToken}\n`);
      }),
    );
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, signal).catch(() => undefined);
}
