import type { BalanceOrder, PlayersAdded, SessionOrder } from '@muster/contracts';
import type { OperatorClient, PlayerClient, ServerClient } from '@muster/sdk';
import { Happenings } from '../happenings.js';
import type { Stack } from '../stack.js';
import type { Recorder } from './recorder.js';

/** The SDK of the recorded release. */
export type Sdk = typeof import('@muster/sdk');

/** A dedicated server on that SDK: it accepts every session, and records its orders. */
export interface Host {
  readonly client: ServerClient;
  readonly asked: Happenings<{ readonly sessionId: string; readonly order: SessionOrder }>;
  readonly added: Happenings<PlayersAdded & { readonly sessionId: string }>;
  readonly orders: Happenings<BalanceOrder & { readonly sessionId: string }>;
  /** Refuses the next order for a session. */
  refuseNext(): void;
}

/** The actors of the stories, each using the SDK of the recorded release. */
export class Cast {
  private readonly tokens = new Map<string, Promise<string>>();

  constructor(
    readonly sdk: Sdk,
    readonly stack: Stack,
    readonly recorder: Recorder,
  ) {
    recorder.introduce(stack.run.operatorKey, 'operator');
    recorder.introduce(stack.run.serverKey, 'fleet');
  }

  get operator(): OperatorClient {
    return new this.sdk.OperatorClient({ url: this.stack.url, operatorKey: this.stack.run.operatorKey });
  }

  /** A player's token, the same for each call. */
  token(playerId: string): Promise<string> {
    const token = this.tokens.get(playerId) ?? this.stack.token(playerId);
    this.tokens.set(playerId, token);
    return token;
  }

  async player(playerId: string): Promise<PlayerClient> {
    const token = await this.token(playerId);
    this.recorder.introduce(token, `player:${playerId}`);
    return new this.sdk.PlayerClient({ url: this.stack.url, token });
  }

  /** Calls outside the SDK's clients. */
  async caller(playerId?: string): Promise<InstanceType<Sdk['Caller']>> {
    const token = playerId === undefined ? this.stack.run.operatorKey : await this.token(playerId);
    if (playerId !== undefined) this.recorder.introduce(token, `player:${playerId}`);
    return new this.sdk.Caller(this.stack.url, () => token);
  }

  /** Starts a dedicated server. */
  async host(serverId: string, build: string, slots: number): Promise<Host> {
    const asked: Host['asked'] = new Happenings();
    const added: Host['added'] = new Happenings();
    const orders: Host['orders'] = new Happenings();
    let refuses = false;
    const { RefuseSession, ServerClient: Client } = this.sdk;
    const client = new Client(
      {
        url: this.stack.url,
        serverKey: this.stack.run.serverKey,
        server: { serverId, region: 'local', build, host: '127.0.0.1', port: 27_015, slots },
      },
      {
        createSession: async (sessionId, order) => {
          if (refuses) {
            refuses = false;
            throw new RefuseSession('the map is being loaded');
          }
          asked.push({ sessionId, order });
          return { host: '127.0.0.1', port: 27_016 };
        },
        addPlayers: (sessionId, players) => added.push({ ...players, sessionId }),
        balance: (sessionId, order) => orders.push({ ...order, sessionId }),
        endSession: () => undefined,
        cpuLoad: () => 0.25,
      },
    );
    await client.start();
    return { client, asked, added, orders, refuseNext: () => void (refuses = true) };
  }
}

/** Polls until the answer satisfies the condition. */
export async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  const patience = AbortSignal.timeout(60_000);
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    if (patience.aborted) throw new Error(`it does not become so: ${JSON.stringify(answer).slice(0, 300)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Refused calls are recorded as well. @throws Error unless it is refused with this code */
export async function refused(code: string, call: Promise<unknown>): Promise<void> {
  const said = await call.then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );
  if (said !== code) throw new Error(`expected a refusal with ${code}: ${said}`);
}
