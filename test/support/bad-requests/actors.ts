import type { ProblemCode } from '@muster/contracts';
import { importJWK, SignJWT, UnsecuredJWT, generateKeyPair, type JWK } from 'jose';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ask } from '../http.js';
import type { Stack } from '../stack.js';

/** The senders of bad requests, and the ids they may name; created once, before the table runs. */
export interface Actors {
  /** A player in no queue. */
  readonly player: string;
  /** A waiting player with a ticket. */
  readonly queued: string;
  readonly ticketId: string;
  readonly operator: string;
  readonly fleet: string;
  /** The token of the server `bad-server`, which has a live session and an unanswered command. */
  readonly server: string;
  readonly sessionId: string;
  readonly pendingSeq: number;
  /** Passes to `bad-player`. */
  readonly pass: string;
  readonly tokens: Readonly<Record<BadToken, string>>;
}

export type BadToken =
  | 'expired'
  | 'strange'
  | 'endless'
  | 'unsigned'
  | 'symmetric'
  | 'elsewhere'
  | 'nameless'
  | 'spaced'
  | 'bot'
  | 'erased'
  | 'boastful';

/** A request with one error. */
export interface BadRequest {
  readonly title: string;
  readonly path: string;
  readonly ask: (actors: Actors) => Ask;
  readonly status: number;
  readonly code: ProblemCode;
  /** The text that the detail must contain. */
  readonly names: RegExp;
}

/** Player tokens with one error each. */
export async function badTokens(stack: Stack): Promise<Record<BadToken, string>> {
  const jwk = JSON.parse(await readFile(join(stack.dataDir, 'keys', 'login.jwk'), 'utf8')) as JWK;
  const login = await importJWK(jwk, 'EdDSA');
  const { privateKey: other } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const base = (subject = 'bad-player'): SignJWT =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid ?? 'login' })
      .setSubject(subject)
      .setAudience('muster');
  return {
    expired: await base().setExpirationTime('-1m').sign(login),
    strange: await base().setExpirationTime('1h').sign(other),
    endless: await base().sign(login),
    unsigned: new UnsecuredJWT({})
      .setSubject('bad-player')
      .setAudience('muster')
      .setExpirationTime('1h')
      .encode(),
    // The public key, used as a shared secret.
    symmetric: await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', kid: jwk.kid ?? 'login' })
      .setSubject('bad-player')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode((jwk.x ?? '').padEnd(32, '='))),
    elsewhere: await base().setAudience('another-game').setExpirationTime('1h').sign(login),
    nameless: await new SignJWT({})
      .setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid ?? 'login' })
      .setExpirationTime('1h')
      .sign(login),
    spaced: await base('two words').setExpirationTime('1h').sign(login),
    bot: await base('bot:1').setExpirationTime('1h').sign(login),
    erased: await base('erased-0123456789abcdef01').setExpirationTime('1h').sign(login),
    boastful: await new SignJWT({ muster: { playMinutes: 'thousands' } })
      .setProtectedHeader({ alg: 'EdDSA', kid: jwk.kid ?? 'login' })
      .setSubject('bad-player')
      .setExpirationTime('1h')
      .sign(login),
  };
}

/** Rows of the table with the same problem. */
export const refused =
  (status: number, code: ProblemCode) =>
  (title: string, path: string, ask: BadRequest['ask'], names: RegExp): BadRequest => ({
    title,
    path,
    ask,
    status,
    code,
    names,
  });

type As = 'player' | 'queued' | 'operator' | 'fleet' | 'server';

/** A JSON body from a sender. */
export const sends =
  (who: As, body: unknown, headers?: Record<string, string>) =>
  (actors: Actors): Ask => ({ token: actors[who], body, headers });

/** Text that is sent unchanged, as JSON by default. */
export const sendsText =
  (who: As, raw: string, headers?: Record<string, string>) =>
  (actors: Actors): Ask => ({ token: actors[who], raw, headers });

/** A call without a body. */
export const asks =
  (who: As, method = 'GET', headers?: Record<string, string>) =>
  (actors: Actors): Ask => ({ token: actors[who], method, headers });
