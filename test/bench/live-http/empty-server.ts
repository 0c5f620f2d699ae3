// Servers without work, each the cost of a call on this machine: one reads a request and sends an empty answer, the other
// is Fastify, which parses the JSON first.
import Fastify from 'fastify';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const plain = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'));
});
const fastify = Fastify();
fastify.post('/*', () => ({}));

await fastify.listen({ host: '127.0.0.1', port: 0 });
plain.listen(0, '127.0.0.1', () => {
  const portOf = (address: unknown): number => (address as AddressInfo).port;
  process.send?.({ plain: portOf(plain.address()), fastify: portOf(fastify.server.address()) });
});
process.once('disconnect', () => process.exit());
