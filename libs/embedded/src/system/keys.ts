import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** All secrets of an embedded run, created at its first start and stored in `<data-dir>/keys`. */
export interface Keys {
  /** The private JWK of the game's login: it signs player tokens. */
  readonly login: string;
  /** The login's public keys, as a JWKS. */
  readonly playerJwks: string;
  /** The coordinator's private JWK. */
  readonly coordinator: string;
  readonly serverKey: string;
  readonly operatorKey: string;
}

async function kept(path: string, make: () => Promise<string>): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    const made = await make();
    // "wx": of two concurrent launchers, one writes and the other reads that file.
    await writeFile(path, `${made}\n`, { mode: 0o600, flag: 'wx' }).catch(() => undefined);
    return (await readFile(path, 'utf8')).trim();
  }
}

async function newKey(kid: string): Promise<string> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return JSON.stringify({ ...(await exportJWK(privateKey)), kid, alg: 'EdDSA' });
}

const newSecret = (prefix: string) => (): Promise<string> =>
  Promise.resolve(`${prefix}_${randomBytes(32).toString('base64url')}`);

/** Reads the keys of a data directory, and creates missing ones. */
export async function readKeys(dataDir: string): Promise<Keys> {
  const dir = join(dataDir, 'keys');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const login = await kept(join(dir, 'login.jwk'), () => newKey('login'));
  const { d: _secret, ...open } = JSON.parse(login) as JWK;
  return {
    login,
    playerJwks: JSON.stringify({ keys: [open] }),
    coordinator: await kept(join(dir, 'coordinator.jwk'), () =>
      newKey(`coordinator-${randomBytes(4).toString('hex')}`),
    ),
    serverKey: await kept(join(dir, 'server.key'), newSecret('srv')),
    operatorKey: await kept(join(dir, 'operator.key'), newSecret('opr')),
  };
}

/** A player token as the game's login would sign it. @param lifetime such as `12h` */
export async function playerToken(login: string, playerId: string, lifetime = '12h'): Promise<string> {
  const jwk = JSON.parse(login) as JWK;
  return new SignJWT({})
    .setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid ?? 'login' })
    .setSubject(playerId)
    .setAudience('muster')
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(await importJWK(jwk, 'EdDSA'));
}
