import type { Pace } from '@muster/contracts';
import { longestPollMs } from '@muster/contracts';
import { Agent, type Dispatcher } from 'undici';
import { wasNotSent } from './network-error.js';
import type { Replica, ReplicaSet } from './replica.js';

/** A request to forward. */
export interface Call {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer | null;
  readonly pace: Pace;
  /** Whether another replica may get it if the outcome is unknown. */
  readonly repeatable: boolean;
  /** Aborts when the client hangs up. */
  readonly left: AbortSignal;
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
   * reached, only an idempotent call is repeated.
   *
   * @throws NoAnswer
   */
  async send(call: Call, service: ReplicaSet): Promise<Dispatcher.ResponseData> {
    let last: unknown = new Error('the service has no replicas');
    for (const replica of service.order()) {
      try {
        return await this.sendTo(replica, call);
      } catch (error) {
        if (call.left.aborted) throw error;
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

  private async sendTo(replica: Replica, call: Call): Promise<Dispatcher.ResponseData> {
    const { method, path, headers, body, pace, repeatable, left } = call;
    const ended = new AbortController();
    const leave = (): void => ended.abort();
    left.addEventListener('abort', leave, { once: true });
    if (left.aborted) leave();
    const unregister = repeatable ? replica.awaits(() => ended.abort(new SilentReplica())) : undefined;
    try {
      return await this.agents[pace].request({
        origin: replica.url,
        method,
        path,
        headers,
        body,
        signal: ended.signal,
        ...this.patience(pace),
      });
    } finally {
      unregister?.();
    }
  }

  private patience(pace: Pace): { headersTimeout: number; bodyTimeout: number } {
    const { answerMs, longAnswerMs, streamSilenceMs } = this.settings;
    switch (pace) {
      case 'short':
        return { headersTimeout: answerMs, bodyTimeout: answerMs };
      case 'long':
        return { headersTimeout: longAnswerMs, bodyTimeout: longAnswerMs };
      case 'poll':
        return { headersTimeout: longestPollMs + answerMs, bodyTimeout: answerMs };
      case 'stream':
        return { headersTimeout: answerMs, bodyTimeout: streamSilenceMs };
    }
  }
}

/** The replica accepts connections but does not answer. */
class SilentReplica extends Error {
  constructor() {
    super('the replica does not answer');
  }
}
