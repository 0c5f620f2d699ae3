import { createServer, type Server } from 'node:http';
import { Happenings } from './happenings.js';

/** A call of the scale-out hook. */
export interface HookCall {
  readonly authorization: string | undefined;
  readonly body: {
    readonly build: string;
    readonly regions: string[];
    readonly waitingMatches: number;
    readonly slots: number;
    readonly servers: number;
    readonly at: number;
  };
}

/** A scale-out hook whose answers the test controls: a status by build, or none. */
export class Hook {
  readonly calls = new Happenings<HookCall>();
  readonly answers = new Map<string, number | 'silence'>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (data: Buffer) => (text += data.toString()));
      request.on('end', () => {
        const body = JSON.parse(text) as HookCall['body'];
        this.calls.push({ authorization: request.headers.authorization, body });
        const answer = this.answers.get(body.build) ?? 202;
        if (answer !== 'silence') response.writeHead(answer).end();
      });
    });
  }

  static async start(port: number): Promise<Hook> {
    const hook = new Hook();
    await new Promise<void>((resolve) => hook.server.listen(port, '127.0.0.1', resolve));
    return hook;
  }

  of(which: string): HookCall[] {
    return this.calls.all.filter(({ body }) => body.build === which);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
