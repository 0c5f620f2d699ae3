import type { LeaderboardView } from '@muster/contracts';
import { Agent, request } from 'node:http';
import type { Stack } from '../../support/stack.js';
import { pool } from './fill.js';

/** Reads leaderboards over one connection. */
export class HttpReader {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly stack: Stack) {}

  /** @throws Error for any answer but 200 */
  async read(query: Record<string, string>): Promise<LeaderboardView> {
    const { status, text } = await this.get(query);
    if (status !== 200) throw new Error(`a leaderboard was answered with ${status}: ${text}`);
    return JSON.parse(text) as LeaderboardView;
  }

  /** @returns false while the board is being made */
  async tryRead(query: Record<string, string>): Promise<boolean> {
    const { status, text } = await this.get(query);
    if (status === 200) return true;
    if (status === 503) return false;
    throw new Error(`a leaderboard was answered with ${status}: ${text}`);
  }

  close(): void {
    this.agent.destroy();
  }

  private get(query: Record<string, string>): Promise<{ status: number; text: string }> {
    const { hostname, port } = new URL(this.stack.url);
    const path = `/v1/pools/${pool}/leaderboard?${new URLSearchParams(query).toString()}`;
    const headers = { authorization: `Bearer ${this.stack.run.operatorKey}` };
    return new Promise((resolve, reject) => {
      const call = request({ agent: this.agent, host: hostname, port, path, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      call.on('error', reject);
      call.end();
    });
  }
}
