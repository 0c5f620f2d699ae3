import { setTimeout as pause } from 'node:timers/promises';
import { LoadClient } from '../load/client.js';
import { Fleet } from '../support/fleet.js';
import type { Stack } from '../support/stack.js';

const build = 'observe';
const callers = 64;
const matchMs = 1_000;

/** Servers for the tickets of {@link queueTickets}. */
export async function startFleet(stack: Stack): Promise<Fleet> {
  const fleet = new Fleet({
    url: stack.url,
    serverKey: stack.run.serverKey,
    servers: 8,
    slots: 60,
    build,
    region: 'local',
    matchMs: () => matchMs,
    ranks: (teams) => teams.map((_, team) => team + 1),
  });
  await fleet.start();
  return fleet;
}

/** Queues players through the edge until so many tickets were accepted; a player who still plays tries again. */
export async function queueTickets(
  stack: Stack,
  { players, tickets }: { readonly players: number; readonly tickets: number },
): Promise<void> {
  const client = new LoadClient(stack.url);
  const tokens = await Promise.all(Array.from({ length: players }, (_, i) => stack.token(`observe-${i}`)));
  let next = 0;
  const call = async (): Promise<void> => {
    while (next < tickets) {
      const token = tokens[next++ % players] ?? '';
      for (;;) {
        const { status } = await client.post('/v1/tickets', token, {
          queue: '5v5',
          build,
          latencyMs: { local: 20 },
        });
        if (status === 201) break;
        await pause(200);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: callers }, call));
  } finally {
    client.close();
  }
}
