import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';
import { GameServer } from '../support/game-server.js';
import { ask, jsonOf } from '../support/http.js';
import { queueUp } from '../support/party.js';
import type { Stack } from '../support/stack.js';

/** What {@link provoke} leaves in the figures: expressions with a value above 0. */
export const provoked = [
  'sum(muster_problems_total{problem="queue-not-found",service="queue"})',
  'sum(muster_http_requests_total{endpoint="createTicket",status="404",service="edge"})',
  'sum(muster_rate_limited_total{limit="tickets-by-player"})',
  'sum(muster_results_total{outcome="contradicts"})',
  'max(muster_result_conflicts_open)',
  'max(muster_webhook_open)',
  'max(muster_tickets_waiting_for{queue="5v5",rule="players"})',
];

/** Tickets of one player at once; see docs/limits.md. */
const tooMany = 50;

/** Lets services reach {@link provoke}'s receiver of events. */
export const provokedEnv = { WEBHOOK_NETWORKS: '127.0.0.0/8' };

/**
 * Has happen what a demo lacks: a refused call, too many of one player, a result that contradicts another, a player for whom nobody else is there, and
 * a receiver of events that takes none.
 *
 * @returns a function that ends the servers
 */
export async function provoke(stack: Stack): Promise<() => Promise<void>> {
  const build = 'provoked';
  const token = await stack.token('provoked');
  for (let call = 0; call < tooMany; call++)
    await ask(stack.url, '/v1/tickets', { token, body: { queue: 'nowhere', build } });
  await queueUp(stack, ['provoked-alone'], { queue: '5v5', build: 'provoked-alone' });
  const receiver = createServer((_request, response) => response.writeHead(500).end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = z.object({ port: z.number() }).parse(receiver.address());
  const webhook = { url: `http://127.0.0.1:${port}/`, types: ['result.conflict'] };
  jsonOf(await ask(stack.url, '/v1/webhooks', { token: stack.run.operatorKey, body: webhook }), 201);
  const server = await GameServer.start(stack, { serverId: 'provoked', build });
  const tickets = await Promise.all(
    ['provoked-1', 'provoked-2'].map((playerId) =>
      queueUp(stack, [playerId], { queue: '1v1', build, latencyMs: { local: 20 } }),
    ),
  );
  const [assignment] = await Promise.all(tickets.map((ticket) => ticket.assigned()));
  const sessionId = assignment?.sessionId ?? '';
  await server.report(sessionId, { winner: 0 });
  // The first result counts.
  await server.report(sessionId, { winner: 1 }).catch(() => undefined);
  return async () => {
    receiver.close();
    await server.stop();
  };
}
