import { Misconfigured } from '@muster/domain';
import { addressOf, isAddress, type ServiceSettings } from '../core/config.js';
import { token } from '../core/construct.js';
import type { OperatorSignIn } from '../auth/callers.js';
import { OperatorTokens } from '../auth/operator-tokens.js';
import { FetchedKeys, GivenKeys } from '../keys/fetched-keys.js';
import { tokenAlgorithms, type Jwks } from '../keys/jwt.js';
import { KeyReader } from '../keys/key-reader.js';

/** How operators authenticate beside the key of the settings. */
export const OPERATOR_SIGN_IN = token<OperatorSignIn>('sign-in of operators');

type SignInSettings = Pick<
  ServiceSettings,
  | 'OPERATOR_JWKS'
  | 'OPERATOR_ISSUER'
  | 'OPERATOR_AUDIENCE'
  | 'OPERATOR_ROLES_CLAIM'
  | 'OPERATOR_NAME_CLAIM'
  | 'OPERATOR_ROLE_NAMES'
>;

/**
 * The verifier of operators' tokens by the settings; null without an identity provider.
 *
 * @param onError gets errors of reading the provider's keys
 * @throws Misconfigured without the issuer
 */
export function operatorTokens(
  settings: SignInSettings,
  onError: (error: unknown) => void,
): OperatorSignIn['tokens'] {
  const { OPERATOR_JWKS: keys, OPERATOR_ISSUER: issuer } = settings;
  if (keys === undefined) return null;
  if (issuer === undefined)
    throw new Misconfigured('OPERATOR_JWKS needs OPERATOR_ISSUER, the `iss` of the tokens.');
  const elapsed = (): number => performance.now();
  const known = isAddress(keys)
    ? new FetchedKeys(new KeyReader({ url: addressOf(keys) }, elapsed, false), tokenAlgorithms, {
        elapsed,
        onError,
      })
    : new GivenKeys(JSON.parse(keys) as Jwks, tokenAlgorithms);
  return new OperatorTokens(known, {
    issuer,
    audience: settings.OPERATOR_AUDIENCE,
    rolesClaim: settings.OPERATOR_ROLES_CLAIM,
    nameClaim: settings.OPERATOR_NAME_CLAIM,
    roleNames: settings.OPERATOR_ROLE_NAMES,
  });
}
