import { freePort } from '@muster/embedded';
import { spawn, type ChildProcess } from 'node:child_process';
import { request } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const secret = `whsec_${Buffer.from('the secret of this test').toString('base64')}`;
let port: number;
let receiver: ChildProcess;
let printed = '';

beforeAll(async () => {
  port = await freePort();
  receiver = spawn(process.execPath, ['docs/examples/webhook-receiver.mjs'], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
  });
  receiver.stdout?.on('data', (data: Buffer) => (printed += data.toString()));
  await vi.waitFor(() => send('{}', {}), { timeout: 20_000, interval: 50 });
});
afterAll(() => void receiver.kill());

/** Sends a body in two parts, cut at a byte. @returns the status */
function send(body: string, headers: Record<string, string>, cut = 1): Promise<number> {
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const call = request({ port, method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', reject);
    call.setNoDelay(true);
    call.write(bytes.subarray(0, cut), () => setTimeout(() => call.end(bytes.subarray(cut)), 20));
  });
}

function signed(body: string, at = new Date(), id = 'evt_1'): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,AAAA ${new Webhook(secret).sign(id, at, body)}`,
  };
}

const event = (id: string, name: string): string =>
  JSON.stringify({ id, type: 'match.rated', version: 1, data: { map: name } });

describe('the receiver of docs/events.md', () => {
  it('takes a signed message once, also one that arrives cut within a character', async () => {
    const body = event('evt_1', 'Straßburg');
    const cut = Buffer.from(body).indexOf(0xc3) + 1;
    expect([await send(body, signed(body), cut), await send(body, signed(body))]).toEqual([204, 204]);
    await vi.waitFor(() => expect(printed).toBe('match.rated {"map":"Straßburg"}\n'));
  });

  it('refuses another signature, another body, an old message and none', async () => {
    const body = event('evt_2', 'x');
    const old = new Date(Date.now() - 600_000);
    const other = {
      ...signed(body),
      'webhook-signature': signed(event('evt_2', 'y'))['webhook-signature'] ?? '',
    };
    const answers = [
      send(body, other),
      send(event('evt_2', 'y'), signed(body)),
      send(body, signed(body, old)),
      send(body, {}),
    ];
    expect(await Promise.all(answers)).toEqual([401, 401, 401, 401]);
  });
});
