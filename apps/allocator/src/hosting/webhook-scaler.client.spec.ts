import { createServer, type Server } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebhookScaler } from './webhook-scaler.client.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a scale-out hook that never answers', () => {
  let server: Server;
  let url: string;
  beforeEach(async () => {
    server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const ask = (timeoutMs: number, ending: AbortSignal): Promise<unknown> =>
    new WebhookScaler(url, undefined, timeoutMs, ending)
      .ask({ build: 'b', regions: [], waitingMatches: 1, slots: 1, servers: 1, at: 0 })
      .catch((error: unknown) => error);

  it('times out, also when garbage is collected meanwhile', async () => {
    const collecting = setInterval(collectGarbage, 20);
    try {
      const late = new Promise((resolve) => setTimeout(resolve, 5_000, 'still waiting'));
      expect(await Promise.race([ask(200, new AbortController().signal), late])).toMatchObject({
        name: 'TimeoutError',
        message: 'The scaler did not answer within 200 ms.',
      });
    } finally {
      clearInterval(collecting);
    }
  });

  it('is aborted when the service stops', async () => {
    const ending = new AbortController();
    const asked = ask(60_000, ending.signal);
    ending.abort(new Error('the service stops'));
    expect(await asked).toMatchObject({ message: 'the service stops' });
  });
});
