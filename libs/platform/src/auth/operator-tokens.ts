import { operatorRoles, type OperatorRole } from '@muster/contracts';
import { NotAllowed, NotAuthenticated } from '@muster/domain';
import { valueAt } from '../keys/claim-path.js';
import type { LoginKeys } from '../keys/fetched-keys.js';
import {
  checkClaims,
  claimsProvedBy,
  claimsWithoutProof,
  readTokenOf,
  tokenAlgorithms,
} from '../keys/jwt.js';
import type { KnownOperator } from './operator-keys.js';

/** What a token of the identity provider must say, and where its roles are. */
export interface OperatorTokenDemands {
  readonly issuer: string;
  readonly audience: string;
  /** A claim with a name or a list of names; with dots, a path. */
  readonly rolesClaim: string;
  /** The claim with the name that the audit log shows. */
  readonly nameClaim: string;
  /** The provider's names of roles. */
  readonly roleNames: ReadonlyMap<string, OperatorRole>;
}

/** A name that the audit log shows; longer ones are cut. */
const nameLength = 128;

/** Verifies tokens with which operators sign in at an identity provider. */
export class OperatorTokens {
  constructor(
    private readonly keys: LoginKeys,
    private readonly demands: OperatorTokenDemands,
  ) {}

  /** Whether a token says that it is from the identity provider and for operators. Nothing of it is proved. */
  claims(token: string): boolean {
    const { iss, aud } = claimsWithoutProof(token);
    return iss === this.demands.issuer && [aud].flat().includes(this.demands.audience);
  }

  /**
   * @param now in milliseconds since the epoch
   * @throws NotAuthenticated with the reason, NotAllowed for a person without a role
   */
  async operatorOf(token: string, now: number): Promise<KnownOperator> {
    const { issuer, audience, rolesClaim, nameClaim, roleNames } = this.demands;
    const { header } = readTokenOf(token, tokenAlgorithms);
    const claims = claimsProvedBy(this.keys.find(header) ?? (await this.keys.seek(header)), token);
    checkClaims(claims, { now, issuer, audience, required: ['sub', 'exp'] });
    const name = valueAt(claims, nameClaim);
    const shown = typeof name === 'string' ? name.replaceAll(/\p{C}/gu, '').slice(0, nameLength) : '';
    if (shown === '') throw new NotAuthenticated(`The token’s claim "${nameClaim}" is not a name.`);
    const given = [valueAt(claims, rolesClaim)].flat();
    const roles = given.flatMap((each) => (typeof each === 'string' ? (roleNames.get(each) ?? []) : []));
    const role = operatorRoles.findLast((each) => roles.includes(each));
    if (role === undefined)
      throw new NotAllowed(
        `The token’s claim "${rolesClaim}" names no role here; one of ${[...roleNames.keys()].join(', ')} is needed.`,
        { roles: [...operatorRoles] },
      );
    return { name: shown, role, signIn: 'token', keyId: null };
  }
}

/**
 * Reads `role=name` pairs: the provider's names of roles.
 *
 * @returns null if a part is not such a pair; the roles by their own names for an empty text
 */
export function readRoleNames(text: string): ReadonlyMap<string, OperatorRole> | null {
  if (text.trim() === '') return new Map(operatorRoles.map((role) => [role, role]));
  const pairs = text.split(',').map((part) => /^\s*(\w+)=(.*\S)\s*$/.exec(part) ?? []);
  const names = new Map<string, OperatorRole>();
  for (const [, roleName, name] of pairs) {
    const role = operatorRoles.find((each) => each === roleName);
    if (role === undefined || name === undefined) return null;
    names.set(name, role);
  }
  return names;
}
