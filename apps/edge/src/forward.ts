import type { Pace } from '@muster/contracts';
import { longestPollMs } from '@muster/contracts';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher } from 'undici';
import { wasNotSent } from './network-error.js';
import type { Replica, ReplicaSet } from './replica.js';
import type { ReplyClient } from './reply-client.js';

/** A request to forward. */
export interface Call {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer | null;
  readonly pace: Pace;
  /** Whether another replica may get it if the outcome is unknown. */
  readonly repeatable: boolean;
  /** Whether it is waited for longer than others: its outcome matters more than when it is known. */
  readonly isAwaited: boolean;
  readonly client: ReplyClient;
}

/** No replica answered. */
export class NoAnswer extends Error {
  constructor(
    /** Whether the call may have been executed. */
    readonly isUncertain: boolean,
    options: ErrorOptions,
  ) {
    super('no replica answered', options);
  }
}

export interface ForwardSettings {
  readonly connectMs: number;
  /** The time-out until the answer's header, by the pace of the call. */
  readonly answerMs: number;
  readonly longAnswerMs: number;
  /** A stream that is silent for this time is closed: its replica sends a comment every five seconds. */
  readonly streamSilenceMs: number;
}

/**
 * Forwards calls to one replica after the other. Each pace has its own connection pool, so that waiting calls take no
 * connections from short ones; the number of connections of waiting calls is unlimited.
 */
export class Forwarder {
  private readonly agents: Readonly<Record<Pace, Agent>>;

  constructor(
    private readonly settings: ForwardSettings,
    /** Called for a replica that did not answer properly. */
    private readonly suspect: (replica: Replica, error: unknown) => void,
  ) {
    const agent = (connections: number | null): Agent =>
      new Agent({
        connections,
        pipelining: 1,
        keepAliveTimeout: 4_000,
        connect: { timeout: settings.connectMs },
      });
    const waiting = agent(null);
    this.agents = { short: agent(512), long: agent(256), poll: waiting, stream: waiting };
  }

  /**
   * Tries the replicas in turn until one answers. An unreachable one is skipped for every call; after one that was
   * reached, only an idempotent call is repeated. Resolves when the answer has begun; the rest of it follows.
   *
   * @throws NoAnswer; any error when the client is gone
   */
  async send(call: Call, service: ReplicaSet): Promise<void> {
    let last: unknown = new Error('the service has no replicas');
    for (const replica of service.order()) {
      try {
        return await this.sendTo(replica, call);
      } catch (error) {
        if (call.client.isGone) throw error;
        this.suspect(replica, error);
        last = error;
        if (!call.repeatable && !wasNotSent(error)) throw new NoAnswer(true, { cause: error });
      }
    }
    throw new NoAnswer(!wasNotSent(last) && !call.repeatable, { cause: last });
  }

  async close(): Promise<void> {
    await Promise.all([...new Set(Object.values(this.agents))].map((agent) => agent.destroy()));
  }

  private sendTo(replica: Replica, call: Call): Promise<void> {
    const { method, path, headers, body, repeatable } = call;
    return new Promise((resolve, reject) => {
      const relay = new Relay(call.client, resolve, reject);
      if (repeatable)
        relay.onBegin = replica.awaits(() => relay.abort(new SilentReplica('the replica does not answer')));
      const { headersTimeout, bodyTimeout } = this.patience(call);
      this.agents[call.pace].dispatch(
        { origin: replica.url, method, path, headers, body, headersTimeout, bodyTimeout },
        relay,
      );
    });
  }

  private patience({ pace, isAwaited }: Call): { headersTimeout: number; bodyTimeout: number } {
    const { answerMs, longAnswerMs, streamSilenceMs } = this.settings;
    switch (pace) {
      case 'short':
        return { headersTimeout: isAwaited ? longAnswerMs : answerMs, bodyTimeout: answerMs };
      case 'long':
        return { headersTimeout: longAnswerMs, bodyTimeout: longAnswerMs };
      case 'poll':
        return { headersTimeout: longestPollMs + answerMs, bodyTimeout: answerMs };
      case 'stream':
        return { headersTimeout: answerMs, bodyTimeout: streamSilenceMs };
    }
  }
}

/** The logs of the edge have its name as the type of the error. */
class SilentReplica extends Error {}

/**
 * Passes an answer on to the client as it arrives. This is undici's lowest interface: its promise of a body stream costs
 * as much again as the call.
 */
class Relay implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private aborted: Error | null = null;
  private begun = false;
  /** Called when the replica answers or fails. */
  onBegin: (() => void) | null = null;

  constructor(
    private readonly client: ReplyClient,
    private readonly resolve: () => void,
    private readonly reject: (error: unknown) => void,
  ) {
    client.onLeave(() => this.abort(new Error('the client hung up')));
  }

  abort(reason: Error): void {
    this.aborted = reason;
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.aborted) controller.abort(this.aborted);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // 100 to 199 precede the answer.
    if (status < 200) return;
    this.onBegin?.();
    this.begun = true;
    this.client.begin(status, headers);
    this.resolve();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.client.write(chunk, () => controller.resume())) controller.pause();
  }

  onResponseEnd(): void {
    this.client.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.onBegin?.();
    if (this.begun) this.client.breakOff();
    else this.reject(this.aborted ?? error);
  }
}
