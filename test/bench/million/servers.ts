import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, SocketClient } from './http.js';

/** A server that was registered before, with the sessions that it plays. */
export interface RegisteredServer {
  readonly serverId: string;
  readonly token: string;
  readonly sessions: Iterable<string>;
  /** The number of the last command that it has executed. */
  readonly lastSeq: number;
}

interface Command {
  readonly seq: number;
  readonly kind: string;
  readonly sessionId: string;
}

const pollSeconds = 20;
const pauseMs = 500;

/**
 * Dedicated servers that do what the SDK's `ServerClient` does: each sends heartbeats that name its sessions, holds a call
 * for commands open, and accepts every session. Sessions end when they are reported.
 */
export class ServerCrowd {
  heartbeats = 0;
  /** Sessions that were created here. */
  created = 0;
  /** Sessions that the coordinator ended. */
  ended = 0;
  reported = 0;
  /** Failed calls that are made again, and refusals, by message. */
  readonly troubles = new Map<string, number>();
  private readonly sessions = new Map<string, Set<string>>();
  private readonly tokens = new Map<string, string>();
  private readonly running: Promise<void>[] = [];
  private readonly ending = new AbortController();

  constructor(
    private readonly client: SocketClient,
    /** For the calls that are held open. */
    private readonly polls: SocketClient,
    private readonly everyMs: number,
  ) {}

  /** Starts heartbeats and polls, evenly spread over time. */
  start(servers: readonly RegisteredServer[]): void {
    setMaxListeners(0, this.ending.signal);
    servers.forEach(({ serverId, token, sessions, lastSeq }, n) => {
      this.sessions.set(serverId, new Set(sessions));
      this.tokens.set(serverId, token);
      const share = n / servers.length;
      this.running.push(this.beat(serverId, token, this.everyMs * share));
      this.running.push(this.takeCommands(serverId, token, lastSeq, 1_000 * pollSeconds * share));
    });
  }

  /** Reports a result until it is acknowledged or refused, or until the servers stop. */
  async report(serverId: string, sessionId: string): Promise<void> {
    const path = `/v1/sessions/${sessionId}/result`;
    while (!this.stopped) {
      const answer = await this.post(path, this.tokens.get(serverId) ?? '', { ranks: [1, 2] });
      if (answer?.status === 200) {
        this.sessions.get(serverId)?.delete(sessionId);
        this.reported += 1;
        return;
      }
      if (answer && answer.status < 500 && answer.status !== 429) return;
      await sleep(pauseMs);
    }
  }

  async stop(): Promise<void> {
    this.ending.abort();
    this.client.close();
    this.polls.close();
    await Promise.all(this.running);
  }

  private get stopped(): boolean {
    return this.ending.signal.aborted;
  }

  private async beat(serverId: string, token: string, afterMs: number): Promise<void> {
    let due = performance.now() + afterMs;
    for (;;) {
      await sleep(Math.max(0, due - performance.now()));
      if (this.stopped) return;
      due = Math.max(due, performance.now() - this.everyMs) + this.everyMs;
      const sessions = this.sessions.get(serverId) ?? [];
      const answer = await this.post(`/v1/servers/${serverId}/heartbeat`, token, {
        cpuLoad: 0.5,
        sessions: [...sessions],
      });
      if (answer?.status === 200) this.heartbeats += 1;
    }
  }

  private async takeCommands(
    serverId: string,
    token: string,
    lastSeq: number,
    afterMs: number,
  ): Promise<void> {
    let after = lastSeq;
    await sleep(afterMs, undefined, { signal: this.ending.signal }).catch(() => undefined);
    while (!this.stopped) {
      const path = `/v1/servers/${serverId}/commands?after=${after}&waitSeconds=${pollSeconds}`;
      const answer = await this.call(this.polls, 'GET', path, token);
      if (answer?.status !== 200) {
        if (!this.stopped) await sleep(pauseMs);
        continue;
      }
      const { commands } = JSON.parse(answer.text) as { commands: Command[] };
      for (const command of commands) {
        after = command.seq;
        void this.execute(serverId, token, command);
      }
    }
  }

  private async execute(serverId: string, token: string, { seq, kind, sessionId }: Command): Promise<void> {
    const sessions = this.sessions.get(serverId);
    if (kind === 'create-session') {
      sessions?.add(sessionId);
      this.created += 1;
    }
    if (kind === 'end-session' && sessions?.delete(sessionId)) this.ended += 1;
    for (;;) {
      const answer = await this.post(`/v1/servers/${serverId}/commands/${seq}`, token, { status: 'done' });
      if (this.stopped || (answer && answer.status < 500 && answer.status !== 429)) return;
      await sleep(pauseMs);
    }
  }

  private post(path: string, token: string, body: object): Promise<Answer | null> {
    return this.call(this.client, 'POST', path, token, body);
  }

  /** @returns null if the call failed */
  private async call(
    client: SocketClient,
    method: string,
    path: string,
    token: string,
    body?: object,
  ): Promise<Answer | null> {
    try {
      const answer = await client.call(method, path, token, body);
      if (answer.status >= 300) this.note(`${answer.status} ${answer.text.slice(0, 160)}`);
      return answer;
    } catch (error) {
      this.note(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  private note(words: string): void {
    if (!this.stopped) this.troubles.set(words, (this.troubles.get(words) ?? 0) + 1);
  }
}
