import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { attack, refused, type Attack, type Topic } from '../attack.js';
import { call } from '../target.js';

const invalid = refused('400 invalid-request');

/** A webhook at an address. */
const hook =
  (url: string): Attack['run'] =>
  (target) =>
    call(target, '/v1/webhooks', { token: target.keys.operator, body: { url } });

/** Addresses that services are to call for the attacker. */
export const outward: Topic = {
  name: 'Requests from inside (SSRF)',
  about:
    'Webhooks reach public addresses by https. The address that a name has is checked when the connection is made; no redirect is followed.',
  bounds: { processorSeconds: 4, memoryMiB: 96 },
  attacks: [
    invalid('a webhook at the metadata of the machine', hook('http://169.254.169.254/latest/meta-data')),
    invalid('the same by https', hook('https://169.254.169.254/')),
    invalid('the same as a number', hook('https://2852039166/')),
    invalid('the same in octal', hook('https://0251.0376.0251.0376/')),
    invalid('the same in hexadecimal', hook('https://0xa9.0xfe.0xa9.0xfe/')),
    invalid('the same as an address of IPv6', hook('https://[::ffff:169.254.169.254]/')),
    invalid('the same by translation (NAT64)', hook('https://[64:ff9b::a9fe:a9fe]/')),
    invalid('the same by 6to4', hook('https://[2002:a9fe:a9fe::]/')),
    invalid('a webhook at this machine', hook('https://127.0.0.1/')),
    invalid('the same, shortened', hook('https://127.1/')),
    invalid('the same as IPv6', hook('https://[::1]/')),
    invalid('every address of this machine', hook('https://0.0.0.0/')),
    invalid('a private network', hook('https://10.0.0.1/')),
    invalid('a private network of IPv6', hook('https://[fd00::1]/')),
    invalid('a carrier’s network', hook('https://100.64.0.1/')),
    invalid('multicast', hook('https://224.0.0.1/')),
    invalid('a file', hook('file:///etc/passwd')),
    invalid('another protocol', hook('gopher://game.example/_FLUSHALL')),
    invalid('a password in the address', hook('https://a:b@game.example/')),
    invalid('a public address without encryption', hook('http://93.184.216.34/')),
    attack('a name that leads to this machine', 'no event arrived', async (target) => {
      let arrived = 0;
      const inside = createServer((_request, response) => void (arrived++, response.end()));
      inside.listen(0, '127.0.0.1');
      await once(inside, 'listening');
      const { port } = inside.address() as AddressInfo;
      const { calls } = target.stack.operator;
      const { webhookId } = await calls.createWebhook({ body: { url: `https://localhost:${port}/` } });
      await calls.testWebhook({ params: { webhookId } }).catch(() => undefined);
      await calls.deleteWebhook({ params: { webhookId } });
      inside.close();
      return arrived === 0 ? 'no event arrived' : 'the event arrived';
    }),
    refused('403 not-allowed')('a webhook of a viewer', (target) =>
      call(target, '/v1/webhooks', { token: target.keys.viewer, body: { url: 'https://game.example/' } }),
    ),
    refused('403 not-allowed')('a webhook of a server', (target) =>
      call(target, '/v1/webhooks', { token: target.keys.fleet, body: { url: 'https://game.example/' } }),
    ),
  ],
};
