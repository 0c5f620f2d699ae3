import { endpointOf, type Caller, type EndpointName } from '@muster/contracts';
import { NotAllowed, NotAuthenticated } from '@muster/domain';
import { createParamDecorator, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Admission } from './admission.js';
import type { CoordinatorTokens, PlayerTokens, VouchedPlayer } from './tokens.js';

/** The authenticated caller. */
export type Identity =
  | ({ readonly kind: 'player' } & VouchedPlayer)
  | { readonly kind: 'server'; readonly serverId: string; readonly incarnation: number }
  | { readonly kind: 'fleet' }
  | { readonly kind: 'operator' }
  | { readonly kind: 'anyone' };

export const endpointKey = 'muster:endpoint';

const identities = new WeakMap<FastifyRequest, Identity>();

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The token of an Authorization header; empty without one. */
function bearerOf(header = ''): string {
  const [scheme, token = ''] = header.split(' ');
  return scheme?.toLowerCase() === 'bearer' ? token : '';
}

/** Whether an Authorization header carries this key. Compared in constant time. */
export function bearsKey(header: string | undefined, key: string): boolean {
  const token = bearerOf(header);
  return token !== '' && timingSafeEqual(digest(token), digest(key));
}

/** Authenticates callers, and admits those whom the endpoint's table entry allows, unless the service is too busy. */
export class CallerGuard implements CanActivate {
  private readonly serverKey: Buffer;
  private readonly operatorKey: Buffer;

  constructor(
    private readonly reflector: Reflector,
    private readonly players: PlayerTokens,
    private readonly own: CoordinatorTokens,
    keys: { readonly serverKey: string; readonly operatorKey: string },
    private readonly now: () => number,
    private readonly admission: Pick<Admission, 'check'>,
  ) {
    this.serverKey = digest(keys.serverKey);
    this.operatorKey = digest(keys.operatorKey);
  }

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const name = this.reflector.get<EndpointName | undefined>(endpointKey, context.getHandler());
    if (name === undefined) return true;
    this.admission.check(name);
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const allowed = endpointOf(name).callers;
    if (allowed.includes('anyone')) {
      identities.set(request, { kind: 'anyone' });
      return true;
    }
    const identity = this.identify(request, allowed);
    if (!allowed.includes(identity.kind)) {
      throw new NotAllowed(
        `This call is for ${allowed.join(' or ')}; you are authenticated as ${identity.kind}.`,
      );
    }
    identities.set(request, identity);
    return true;
  }

  private identify(request: FastifyRequest, allowed: readonly Caller[]): Identity {
    const token = bearerOf(request.headers.authorization);
    if (token === '') {
      throw new NotAuthenticated(
        `Send an Authorization header: Bearer and ${allowed.map((caller) => credentials[caller]).join(', or ')}.`,
      );
    }
    if (!token.includes('.')) {
      const given = digest(token);
      if (timingSafeEqual(given, this.operatorKey)) return { kind: 'operator' };
      if (timingSafeEqual(given, this.serverKey)) return { kind: 'fleet' };
      throw new NotAuthenticated('The key is unknown.');
    }
    if (allowed.includes('server')) {
      try {
        return { kind: 'server', ...this.own.readServerToken(token, this.now()) };
      } catch (error) {
        // A known caller gets "not allowed"; an unknown token gets the reason of its rejection.
        const player = this.playerOrNull(token);
        if (!player) throw error;
        return { kind: 'player', ...player };
      }
    }
    return { kind: 'player', ...this.players.playerOf(token, this.now()) };
  }

  private playerOrNull(token: string): VouchedPlayer | null {
    try {
      return this.players.playerOf(token, this.now());
    } catch {
      return null;
    }
  }
}

const credentials: Readonly<Record<Caller, string>> = {
  player: 'a player token from the game’s login',
  server: 'the serverToken that registering answered',
  fleet: 'the server key',
  operator: 'the operator key',
  anyone: 'anything',
};

/** The caller that the guard authenticated. */
export function identityOf(request: FastifyRequest): Identity {
  return identities.get(request) ?? { kind: 'anyone' };
}

/** Gives a method of a controller the caller. */
export const Who = createParamDecorator((_: unknown, context: ExecutionContext): Identity =>
  identityOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The calling player. @throws NotAllowed for other callers */
export function playerOf(who: Identity): string {
  return vouchedPlayerOf(who).playerId;
}

/** The calling player with the claims of the game's login. */
export function vouchedPlayerOf(who: Identity): VouchedPlayer {
  if (who.kind !== 'player') throw new NotAllowed('This call is for players.');
  const { playerId, claims, name } = who;
  return { playerId, claims, ...(name === undefined ? {} : { name }) };
}

/** The caller whose limit of open calls applies; null for operators, who share a key and have no limit. */
export function callerOf(who: Identity): string | null {
  if (who.kind === 'player') return `player ${who.playerId}`;
  return who.kind === 'server' ? `server ${who.serverId}` : null;
}
