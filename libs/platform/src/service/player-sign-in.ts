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
  const longestSeconds = settings.PLAYER_TOKEN_SECONDS;
  const logins = [
    ...loginsOf(document, surroundings),
    ...(jwks === undefined ? [] : [loginOfSettings(jwks, { issuer, longestSeconds })]),
    ...(settings.GUEST_LOGIN === 'on' ? [own.guestLogin()] : []),
  ];
  const twice = logins.find((login, i) => logins.findIndex((each) => each.issuer === login.issuer) < i);
  if (twice)
    throw new Misconfigured(
      `Two logins have the issuer ${String(twice.issuer)}: those of PLAYER_LOGINS, PLAYER_ISSUER and guests (muster) must differ.`,
    );
  if (logins.length === 0)
    throw new Misconfigured(
      'No login of players is set: give PLAYER_LOGINS, a document, or PLAYER_JWKS, the public keys of one.',
    );
  return new Logins(keptApart(logins));
}
