import { Misconfigured } from '@muster/domain';
import type { CoordinatorTokens } from '../auth/tokens.js';
import type { ServiceSettings } from '../core/config.js';
import { keptApart, loginOfSettings, Logins, loginsOf, type LoginSurroundings } from '../logins/logins.js';

type SignInSettings = Pick<
  ServiceSettings,
  'PLAYER_LOGINS' | 'PLAYER_JWKS' | 'PLAYER_ISSUER' | 'PLAYER_TOKEN_SECONDS' | 'GUEST_LOGIN'
>;

/**
 * The logins of players by the settings. It begins to read keys that are published.
 *
 * @throws Misconfigured without any
 */
export function playerLogins(
  settings: SignInSettings,
  own: CoordinatorTokens,
  surroundings: LoginSurroundings,
): Logins {
  const { PLAYER_LOGINS: document = [], PLAYER_JWKS: jwks, PLAYER_ISSUER: issuer } = settings;
  if (issuer !== undefined && document.some((login) => login.issuer === issuer))
    throw new Misconfigured(
      'PLAYER_ISSUER is the issuer of a login of PLAYER_LOGINS; leave one of them out.',
    );
  const longestSeconds = settings.PLAYER_TOKEN_SECONDS;
  const logins = [
    ...loginsOf(document, surroundings),
    ...(jwks === undefined ? [] : [loginOfSettings(jwks, { issuer, longestSeconds })]),
    ...(settings.GUEST_LOGIN === 'on' ? [own.guestLogin()] : []),
  ];
  if (logins.length === 0)
    throw new Misconfigured(
      'No login of players is set: give PLAYER_LOGINS, a document, or PLAYER_JWKS, the public keys of one.',
    );
  return new Logins(keptApart(logins));
}
