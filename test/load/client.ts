import { Agent, request } from 'node:http';

/** A lean HTTP client, so that the load generator leaves the machine to the measured system. */
export class LoadClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 2_000, keepAliveMsecs: 3_000 });
  private readonly origin: URL;

  constructor(url: string) {
    this.origin = new URL(url);
  }

  /** @returns status and body */
  post(path: string, token: string, body: object): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const text = JSON.stringify(body);
      const call = request(
        {
          agent: this.agent,
          host: this.origin.hostname,
          port: this.origin.port,
          path,
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
          },
        },
        (response) => {
          let answer = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (answer += chunk));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text: answer }));
        },
      );
      call.on('error', reject);
      call.end(text);
    });
  }

  /** Follows a ticket's events until `heard` returns true. @returns false if the stream broke before */
  follow(
    ticketId: string,
    token: string,
    isDone: (event: Record<string, unknown>) => boolean,
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const call = request(
        {
          agent: this.agent,
          host: this.origin.hostname,
          port: this.origin.port,
          path: `/v1/tickets/${ticketId}/events`,
          headers: { authorization: `Bearer ${token}` },
        },
        (response) => {
          let rest = '';
          let done = false;
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            const lines = (rest + chunk).split('\n');
            rest = lines.pop() ?? '';
            for (const line of lines) {
              if (line.startsWith('data: ') && isDone(JSON.parse(line.slice(6)) as Record<string, unknown>))
                done = true;
            }
          });
          response.on('close', () => resolve(done));
        },
      );
      call.on('error', () => resolve(false));
      call.end();
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
