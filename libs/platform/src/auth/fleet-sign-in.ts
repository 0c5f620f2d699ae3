import { repeatsOf, serverKeyName, type EndpointName } from '@muster/contracts';
import { NotAuthenticated, own } from '@muster/domain';
import type { FastifyRequest } from 'fastify';
import { digestOf } from '../servers/body-digest.js';
import type { FleetSecrets } from './fleet-secrets.js';
import type { FleetStanding } from '../servers/fleet-standing.js';
import type { Nonces } from '../servers/nonces.js';
import { proveSignature, readSignature, type ReceivedMessage } from '../servers/request-signature.js';
import type { VerifiedServer } from './tokens.js';

/** A caller with a key of a fleet; the fleet of SERVER_KEY has no `keyId`. */
export interface FleetCaller {
  readonly kind: 'fleet';
  readonly keyId: string | null;
  readonly fleet: string;
  readonly mustSign: boolean;
}

/** The holder of SERVER_KEY. */
export const defaultFleet: FleetCaller = { kind: 'fleet', keyId: null, fleet: 'default', mustSign: false };

/** Authenticates servers and fleets beside SERVER_KEY: keys of fleets, signed requests, and what was revoked. */
export class FleetSignIn {
  constructor(
    private readonly secrets: FleetSecrets,
    private readonly standing: FleetStanding,
    private readonly nonces: Pick<Nonces, 'use'>,
    private readonly now: () => number,
  ) {}

  /** @throws NotAuthenticated for a key that is not valid, or must not be sent */
  async ofKey(key: string): Promise<FleetCaller> {
    const keyId = this.secrets.idOf(key);
    if (keyId === null) throw new NotAuthenticated(unknownKey);
    const caller = await this.callerOf(keyId);
    if (caller.mustSign)
      throw new NotAuthenticated(
        'Requests with this fleet key must be signed (RFC 9421), and the key itself must not be sent. It was sent: replace it.',
      );
    return caller;
  }

  /** A request without Authorization that a fleet's key signs. @throws NotAuthenticated, RequestReplayed */
  async ofSignature(request: FastifyRequest, call: EndpointName): Promise<FleetCaller> {
    const message = messageOf(request);
    const said = readSignature(message, this.now());
    proveSignature(message, said, this.secrets.signingKeys(said.keyid, null));
    const caller = await this.callerOf(said.keyid);
    await this.nonces.use(said.keyid, said.nonce, isSafe(call));
    return caller;
  }

  /**
   * Checks a server whose token is verified: whether it or its key was revoked, and its signature, if it must sign.
   *
   * @returns null when it may go on without a wait
   * @throws NotAuthenticated, RequestReplayed
   */
  check(request: FastifyRequest, server: VerifiedServer, call: EndpointName): Promise<void> | null {
    const recent = this.standing.recent();
    const isKnown = server.keyId === null || this.standing.keyOf(server.keyId) !== undefined;
    if (recent === null && isKnown && server.signsFor === null) {
      this.checkStanding(server);
      return null;
    }
    return this.checkSlowly(recent, request, server, call);
  }

  private async checkSlowly(
    recent: Promise<void> | null,
    request: FastifyRequest,
    server: VerifiedServer,
    call: EndpointName,
  ): Promise<void> {
    const { serverId, signsFor } = server;
    const message = messageOf(request);
    const said = signsFor === null ? null : readSignature(message, this.now());
    if (said && signsFor !== null) {
      const name = serverKeyName(signsFor, serverId);
      if (said.keyid !== name)
        throw new NotAuthenticated(`The signature of the request must be by this server: keyid="${name}".`);
      proveSignature(message, said, this.secrets.signingKeys(signsFor, serverId));
    }
    await recent;
    if (server.keyId !== null && !this.standing.keyOf(server.keyId)) await this.standing.again();
    this.checkStanding(server);
    if (said) await this.nonces.use(said.keyid, said.nonce, isSafe(call));
  }

  private checkStanding({ serverId, incarnation, keyId }: VerifiedServer): void {
    if (this.standing.isRevoked(serverId, incarnation))
      throw new NotAuthenticated(
        `${serverId} was removed by an operator. Register again if it is to return.`,
      );
    if (keyId === null) return;
    const key = this.standing.keyOf(keyId);
    if (!key || (key.revokedAt !== null && key.endsServers))
      throw new NotAuthenticated('The fleet key with which this server registered was revoked.');
  }

  private async callerOf(keyId: string): Promise<FleetCaller> {
    await this.standing.recent();
    if (!this.standing.keyOf(keyId)) await this.standing.again();
    const key = this.standing.keyOf(keyId);
    const isOver = key && key.expiresAt !== null && key.expiresAt.getTime() <= this.now();
    if (!key || isOver || key.revokedAt !== null) throw new NotAuthenticated(unknownKey);
    return { kind: 'fleet', keyId, fleet: key.fleet, mustSign: key.mustSign };
  }
}

const unknownKey = 'The fleet key is unknown, revoked or expired.';

function messageOf(request: FastifyRequest): ReceivedMessage {
  const { method, url = '/' } = request.raw;
  return {
    method: method ?? '',
    target: url,
    header: (name) => {
      const value = own(request.headers, name);
      return Array.isArray(value) ? value.join(', ') : value;
    },
    // A body without a digest fits none.
    bodyDigest: request.body === undefined ? undefined : (digestOf(request) ?? ''),
  };
}

/** Whether a repeat of the call changes nothing. */
const isSafe = (call: EndpointName): boolean => repeatsOf(call) === 'safe';
