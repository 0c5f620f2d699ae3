import {
  endpointOf,
  fleetKeyPrefix,
  mayAct,
  type Caller,
  type Endpoint,
  type EndpointName,
} from '@muster/contracts';
import { NotAllowed, NotAuthenticated } from '@muster/domain';
import { createParamDecorator, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallLimits } from './call-limits.js';
import { defaultFleet, type FleetCaller, type FleetSignIn } from './fleet-sign-in.js';
import { keyPrefix, type KnownOperator, type OperatorKeys } from './operator-keys.js';
import type { OperatorTokens } from './operator-tokens.js';
import { claimsWithoutProof } from '../keys/jwt.js';
import type { Logins, VouchedPlayer } from '../logins/logins.js';
import { isServerToken, type CoordinatorTokens, type VerifiedServer } from './tokens.js';

/** The authenticated caller. */
export type Identity =
  | ({ readonly kind: 'player' } & VouchedPlayer)
  | ({ readonly kind: 'server' } & VerifiedServer)
  | FleetCaller
  | ({ readonly kind: 'operator' } & KnownOperator)
  | { readonly kind: 'anyone' };

export const endpointKey = 'muster:endpoint';

const identities = new WeakMap<FastifyRequest, Identity>();

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The token of an Authorization header; empty without one. */
function bearerOf(header = ''): string {
  const [scheme, token = ''] = header.split(' ');
  return scheme?.toLowerCase() === 'bearer' ? token : '';
}

/** The keys of a setting: one, or two during a rotation, with white space between them. */
const digestsOf = (setting: string): Buffer[] => setting.split(/\s+/).filter(Boolean).map(digest);

const isAny = (given: Buffer, known: readonly Buffer[]): boolean =>
  known.some((each) => timingSafeEqual(given, each));

/** Whether an Authorization header carries a key of this setting. Compared in constant time. */
export function bearsKey(header: string | undefined, setting: string): boolean {
  const token = bearerOf(header);
  return token !== '' && isAny(digest(token), digestsOf(setting));
}

/** The keys and tokens of operators beside the key of the settings. */
export interface OperatorSignIn {
  readonly keys: Pick<OperatorKeys, 'find'>;
  /** null without an identity provider. */
  readonly tokens: Pick<OperatorTokens, 'claims' | 'operatorOf'> | null;
}

/** The holder of the OPERATOR_KEY of the settings. */
const holder: KnownOperator = { name: 'operator', role: 'admin', signIn: 'setting', keyId: null };

/**
 * Authenticates callers, and admits those whom the endpoint's table entry allows, operators with its role, unless they call too
 * often. Only a key or a token of an operator, and a player's token by a key that is not known yet, are looked up: other calls are
 * decided without a wait.
 */
export class CallerGuard implements CanActivate {
  private readonly serverKeys: readonly Buffer[];
  private readonly operatorKeys: readonly Buffer[];

  constructor(
    private readonly reflector: Reflector,
    private readonly players: Pick<Logins, 'known' | 'playerOf'>,
    private readonly own: CoordinatorTokens,
    keys: { readonly serverKey: string; readonly operatorKey: string },
    private readonly now: () => number,
    private readonly operators: OperatorSignIn,
    private readonly limits: Pick<CallLimits, 'take' | 'checkAttempts' | 'failed'>,
    private readonly fleets: Pick<FleetSignIn, 'ofKey' | 'ofSignature' | 'check'>,
  ) {
    this.serverKeys = digestsOf(keys.serverKey);
    this.operatorKeys = digestsOf(keys.operatorKey);
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const name = this.reflector.get<EndpointName | undefined>(endpointKey, context.getHandler());
    if (name === undefined) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const endpoint = endpointOf(name);
    const refuse = (error: unknown): never => {
      throw this.limits.failed(error, request);
    };
    const admit = (identity: Identity): true | Promise<true> => {
      this.limits.take(name, identity, request, http.getResponse<FastifyReply>());
      checkAllowed(endpoint, identity);
      identities.set(request, identity);
      const checked = identity.kind === 'server' ? this.fleets.check(request, identity, name) : null;
      return checked === null ? true : checked.then(() => true as const, refuse);
    };
    if (endpoint.callers.includes('anyone')) {
      const anyone: Identity = { kind: 'anyone' };
      this.limits.take(name, anyone, request, http.getResponse<FastifyReply>());
      identities.set(request, anyone);
      return true;
    }
    let identity: Identity | Promise<Identity>;
    try {
      identity = this.identify(request, name, endpoint.callers);
    } catch (error) {
      return refuse(error);
    }
    return identity instanceof Promise ? identity.then(admit, refuse) : admit(identity);
  }

  private identify(
    request: FastifyRequest,
    name: EndpointName,
    allowed: readonly Caller[],
  ): Identity | Promise<Identity> {
    const token = bearerOf(request.headers.authorization);
    if (token === '' && request.headers['signature-input'] !== undefined) {
      this.limits.checkAttempts(request);
      return this.fleets.ofSignature(request, name);
    }
    if (token === '') {
      throw new NotAuthenticated(
        `Send an Authorization header: Bearer and ${allowed.map((caller) => credentials[caller]).join(', or ')}.`,
      );
    }
    if (!token.includes('.')) {
      this.limits.checkAttempts(request);
      const given = digest(token);
      if (isAny(given, this.operatorKeys)) return { kind: 'operator', ...holder };
      if (isAny(given, this.serverKeys)) return defaultFleet;
      if (token.startsWith(fleetKeyPrefix)) return this.fleets.ofKey(token);
      if (token.startsWith(keyPrefix)) return this.ofKey(token);
      throw new NotAuthenticated(unknownKey);
    }
    const now = this.now();
    const known = this.players.known(token, now);
    if (known) return { kind: 'player', ...known };
    // What a token says of itself chooses who verifies it. A known caller of another kind gets "not allowed".
    if (isServerToken(claimsWithoutProof(token)))
      return { kind: 'server', ...this.own.readServerToken(token, now) };
    const { tokens } = this.operators;
    if (tokens?.claims(token)) return this.ofToken(tokens, token);
    const player = this.players.playerOf(token, now);
    return player instanceof Promise
      ? player.then((vouched): Identity => ({ kind: 'player', ...vouched }))
      : { kind: 'player', ...player };
  }

  private async ofKey(key: string): Promise<Identity> {
    const operator = await this.operators.keys.find(key, this.now());
    if (!operator) throw new NotAuthenticated(unknownKey);
    return { kind: 'operator', ...operator };
  }

  private async ofToken(tokens: Pick<OperatorTokens, 'operatorOf'>, token: string): Promise<Identity> {
    return { kind: 'operator', ...(await tokens.operatorOf(token, this.now())) };
  }
}

const unknownKey = 'The key is unknown, revoked or expired.';

/** @throws NotAllowed that says who may make the call, and with which role */
function checkAllowed({ callers, role }: Endpoint, identity: Identity): void {
  const who =
    identity.kind === 'operator' ? `operator ${identity.name} with the role ${identity.role}` : identity.kind;
  const needs = role === undefined ? {} : { role };
  if (!callers.includes(identity.kind)) {
    const names = callers.map((each) => (each === 'operator' ? `operator (${String(role)})` : each));
    throw new NotAllowed(`This call is for ${names.join(' or ')}; you are authenticated as ${who}.`, needs);
  }
  if (identity.kind === 'operator' && role !== undefined && !mayAct(identity.role, role))
    throw new NotAllowed(`This call needs the role ${role}; you are authenticated as ${who}.`, needs);
}

const credentials: Readonly<Record<Caller, string>> = {
  player: 'a player token from the game’s login',
  server: 'the serverToken that registering answered',
  fleet: 'the server key or a fleet key',
  operator: 'an operator key or a token of the operators’ identity provider',
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

/** The calling operator. @throws NotAllowed for other callers */
export function operatorOf(who: Identity): KnownOperator {
  if (who.kind !== 'operator') throw new NotAllowed('This call is for operators.');
  const { name, role, signIn, keyId } = who;
  return { name, role, signIn, keyId };
}

/** The caller in what operators read: an operator by name, others by kind. Players do not read names of operators. */
export const actorOf = (who: Identity): string => (who.kind === 'operator' ? who.name : who.kind);

/** The calling player. @throws NotAllowed for other callers */
export function playerOf(who: Identity): string {
  return vouchedPlayerOf(who).playerId;
}

/** The calling player with the claims of the game's login. */
export function vouchedPlayerOf(who: Identity): VouchedPlayer {
  if (who.kind !== 'player') throw new NotAllowed('This call is for players.');
  const { playerId, claims, name, platform } = who;
  return {
    playerId,
    claims,
    ...(name === undefined ? {} : { name }),
    ...(platform === undefined ? {} : { platform }),
  };
}

/** The caller whose limit of open calls applies; null for operators, who share a key and have no limit. */
export function callerOf(who: Identity): string | null {
  if (who.kind === 'player') return `player ${who.playerId}`;
  return who.kind === 'server' ? `server ${who.serverId}` : null;
}
