// A program that uses the client which openapi-typescript generates from the document. It is type-checked, not run: an
// optional field must be optional here, and a field that every answer has must not be.
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/muster.js';

type Ticket = components['schemas']['Ticket'];
type Problem = components['schemas']['Problem'];

const clientOf = (token: string) =>
  createClient<paths>({ baseUrl: 'http://127.0.0.1:8080', headers: { authorization: `Bearer ${token}` } });

/** A player queues, reads, accepts and leaves. */
export async function play(token: string): Promise<string | null> {
  const player = clientOf(token);
  const { data, error } = await player.POST('/v1/tickets', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { queue: '5v5' },
  });
  if (error) return told(error);
  const ticket: Ticket = data;
  const { ticketId } = ticket;
  const seen = await player.GET('/v1/tickets/{ticketId}', {
    params: { path: { ticketId }, query: { after: ticket.seq, waitSeconds: 20 } },
  });
  await player.POST('/v1/tickets/{ticketId}/accept', { params: { path: { ticketId } } });
  await player.DELETE('/v1/tickets/{ticketId}', { params: { path: { ticketId } } });
  await player.POST('/v1/party-passes', { body: { leader: 'alice' } });
  const { data: mine } = await player.GET('/v1/me/matches', { params: { query: { limit: 20 } } });
  const map: string | null | undefined = mine?.matches[0]?.map;
  return seen.data?.assignment?.host ?? map ?? null;
}

/** A dedicated server registers, takes its commands, requests players, and reports the result. */
export async function host(serverKey: string): Promise<boolean> {
  const { data: registered } = await clientOf(serverKey).POST('/v1/servers', {
    body: {
      serverId: 'arena-1',
      region: 'eu',
      build: '1.4.2',
      host: 'arena-1.example',
      port: 27_015,
      slots: 4,
    },
  });
  if (!registered) return false;
  const server = clientOf(registered.serverToken);
  const path = { serverId: 'arena-1' };
  await server.POST('/v1/servers/{serverId}/heartbeat', { params: { path }, body: {} });
  const { data } = await server.GET('/v1/servers/{serverId}/commands', { params: { path } });
  for (const command of data?.commands ?? []) {
    const players: string[] = command.session?.teams.flat() ?? [];
    await server.POST('/v1/servers/{serverId}/commands/{seq}', {
      params: { path: { ...path, seq: command.seq } },
      body: players.length > 0 ? { status: 'done' } : { status: 'refused', reason: 'nobody is in it' },
    });
    const { sessionId } = command;
    await server.POST('/v1/sessions/{sessionId}/backfills', {
      params: { path: { sessionId }, header: { 'Idempotency-Key': 'seat-1' } },
      body: { team: 0, seats: 1 },
    });
    const reported = await server.POST('/v1/sessions/{sessionId}/result', {
      params: { path: { sessionId } },
      body: { winner: 0 },
    });
    if (reported.data?.counted) return true;
    await server.POST('/v1/sessions/{sessionId}/abandon', {
      params: { path: { sessionId } },
      body: { reason: 'The map could not be loaded.' },
    });
  }
  return false;
}

/** A community server reports a match and requests teams, and an operator reads the history of a day. */
export async function report(key: string): Promise<number> {
  const operator = clientOf(key);
  const rated = await operator.POST('/v1/results', {
    body: { eventId: 'league-2041', pool: 'default', teams: [['ann'], ['ben']], ranks: [1, 2] },
  });
  const chances: number[] | undefined = rated.data?.prediction;
  await operator.POST('/v1/teams/split', {
    body: {
      players: [
        { id: 'ann', weight: 31 },
        { id: 'ben', weight: 12 },
      ],
      teamSizes: [1, 1],
    },
  });
  await operator.POST('/v1/balance/check', {
    body: { roster: { teams: 2, players: [{ playerId: 'ann', team: 0, rating: 31 }] } },
  });
  const day = { from: '2026-11-21T00:00:00Z', to: Date.parse('2026-11-22T00:00:00Z') };
  const { data } = await operator.GET('/v1/matches', { params: { query: { ...day, state: 'rated' } } });
  return (data?.matches.length ?? 0) + (chances?.length ?? 0);
}

/** Calls that must not type-check. */
export async function invalidCalls(token: string): Promise<void> {
  const client = clientOf(token);
  // @ts-expect-error a ticket names its queue
  await client.POST('/v1/tickets', { body: {} });
  // @ts-expect-error the name of a queue is text
  await client.POST('/v1/tickets', { body: { queue: 5 } });
  // @ts-expect-error there is no such call
  await client.GET('/v1/ticket');
}

function told(problem: Problem): string {
  return problem.detail;
}
