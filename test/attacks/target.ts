import type { AnswerOf, CommandList, Service } from '@muster/contracts';
import { importJWK, type JWK } from 'jose';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { describeServer, register } from '../support/game-server.js';
import { ask, jsonOf, type Ask } from '../support/http.js';
import { duel, queueUp } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import type { LoginServer } from './login-server.js';
import { seenIn } from './answers.js';

/** A dedicated server that holds its own token. */
interface Server {
  readonly serverId: string;
  readonly token: string;
}

/** A system under attack, with the people whom attacks are about. */
export interface Target {
  readonly stack: Stack;
  /** The edge, which alone is open to the world. */
  readonly url: string;
  /** The public key of the players' login, and its private half, which the login alone has. */
  readonly login: { readonly jwk: JWK; readonly key: Awaited<ReturnType<typeof importJWK>> };
  /** Another login, whose keys are at an address. */
  readonly arcade: LoginServer;
  /** The attacker: a player with a good token, who does nothing beside attacks. */
  readonly mallory: string;
  /** A player who waits alone, with the ticket and the token. */
  readonly victim: { readonly playerId: string; readonly token: string; readonly ticketId: string };
  /** A server that hosts a running match of two. */
  readonly arena: Server & {
    readonly sessionId: string;
    readonly matchId: string;
    /** The command that created the session, and the token of an earlier registration. */
    readonly seq: number;
    readonly staleToken: string;
    readonly players: readonly [string, string];
  };
  /** A server of the attacker, with nothing to do. */
  readonly rogue: Server;
  readonly keys: { readonly operator: string; readonly fleet: string; readonly viewer: string };
}

/** Where players would connect to servers of the cast: nobody does. */
const host = 'game.example';

/** Prepares a system that others may use as well: all names of the cast begin with `atk-`. */
export async function targetOf(stack: Stack, arcade: LoginServer): Promise<Target> {
  const { operatorKey: operator, serverKey: fleet } = stack.run;
  const jwk = JSON.parse(await readFile(join(stack.dataDir, 'keys', 'login.jwk'), 'utf8')) as JWK;
  const victim = await queueUp(stack, ['atk-victim'], { queue: '1v1', build: 'atk-alone' });
  const viewer = jsonOf<AnswerOf<'createKey'>>(
    await ask(stack.url, '/v1/keys', { token: operator, body: { name: 'atk-viewer', role: 'viewer' } }),
    201,
  );
  const rogue = await register(stack, { serverId: 'atk-rogue', build: 'atk-rogue', host });
  return {
    stack,
    arcade,
    url: stack.url,
    login: { jwk, key: await importJWK(jwk, 'EdDSA') },
    mallory: await stack.token('atk-mallory'),
    victim: {
      playerId: 'atk-victim',
      token: await stack.token('atk-victim'),
      ticketId: victim.ticketId,
    },
    arena: await arenaOf(stack),
    rogue: { serverId: 'atk-rogue', token: rogue.serverToken },
    keys: { operator, fleet, viewer: viewer.key },
  };
}

async function arenaOf(stack: Stack): Promise<Target['arena']> {
  const traits = { serverId: 'atk-arena', build: 'atk-arena', host };
  const players = ['atk-live-1', 'atk-live-2'] as const;
  const { serverToken: staleToken } = await register(stack, traits);
  const { serverToken: token } = await register(stack, traits);
  await duel(stack, traits.build, players);
  const path = `/v1/servers/${traits.serverId}/commands`;
  const { commands } = jsonOf<z.infer<typeof CommandList>>(
    await ask(stack.url, `${path}?waitSeconds=30`, { token }),
  );
  const [command] = commands;
  if (!command?.session) throw new Error('no session came');
  const { seq, sessionId, session } = command;
  jsonOf(await ask(stack.url, `${path}/${seq}`, { token, body: { status: 'done' } }));
  const { serverId } = traits;
  return { serverId, token, staleToken, sessionId, seq, matchId: session.matchId, players };
}

/** Calls the edge. @returns what the answer says, in short */
export async function call({ url }: Target, path: string, request: Ask = {}): Promise<string> {
  return seenIn(await ask(url, path, request));
}

/** The address of a service behind the edge. */
export function behind({ stack }: Target, service: Service): string {
  const port = stack.run.replicas.find((replica) => replica.service === service)?.httpPort;
  if (port === undefined) throw new Error(`there is no ${service}`);
  return `http://127.0.0.1:${port}`;
}

/** The registration of a server of the attacker. */
export const rogueServer = (over: Readonly<Record<string, unknown>> = {}): object => ({
  ...describeServer({ serverId: 'atk-new', build: 'atk-new', host }),
  ...over,
});
