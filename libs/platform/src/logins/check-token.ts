import type { LoginCheck, RuleOfToken } from '@muster/contracts';
import { MusterError } from '@muster/domain';
import {
  claimsProvedBy,
  readTokenOf,
  tokenAlgorithms,
  type ReadToken,
  type TrustedKey,
} from '../keys/jwt.js';
import { claimRules, playerOf, toldBy, type Login } from './login-rules.js';
import { checkAlgorithm, type Logins } from './logins.js';

/**
 * Applies every rule to a token, also those after the first that refuses it, and says what each finds. The rules are those by
 * which players are authenticated.
 *
 * @param now in milliseconds since the epoch
 */
export async function checkToken(logins: Logins, token: string, now: number): Promise<LoginCheck> {
  const rules: RuleOfToken[] = [];
  /** @returns what the rule found, or null if it refuses the token */
  const ask = async <T>(rule: string, says: string, check: () => T | Promise<T>): Promise<T | null> => {
    try {
      const found = await check();
      rules.push({ rule, passed: true, detail: says });
      return found;
    } catch (error) {
      if (!(error instanceof MusterError)) throw error;
      rules.push({ rule, passed: false, detail: error.message });
      return null;
    }
  };
  const read = await ask('form', 'a token of three parts, by an algorithm that can be trusted', () =>
    readTokenOf(token, tokenAlgorithms),
  );
  const login =
    read && (await ask('login', `of ${shown(read.claims['iss'])}`, () => logins.loginOf(read.claims['iss'])));
  if (!read || !login) return { accepted: false, login: null, player: null, rules };
  await ask('algorithm', `${shown(read.header['alg'])}, which the login allows`, () =>
    checkAlgorithm(login, read.header['alg']),
  );
  const key = await ask('key', `the login has the key ${shown(read.header['kid'])}`, () =>
    keyOf(login, read),
  );
  if (!key) noteKeys(rules, login);
  if (key) await ask('signature', 'by that key', () => void claimsProvedBy(key, token));
  for (const { name, check } of claimRules)
    await ask(name, saysOf(name, login, read), () => void check(login, read.claims, now));
  const playerId = await ask('player', `from the claim ${login.player.claim}`, () =>
    playerOf(login, read.claims),
  );
  const told = await ask('facts', 'readable', () => toldBy(login, read.claims));
  return {
    accepted: rules.every(({ passed }) => passed),
    login: login.name,
    player: playerId !== null && told ? { playerId, ...told } : null,
    rules,
  };
}

const keyOf = async ({ keys }: Login, { header }: ReadToken): Promise<TrustedKey> =>
  keys.find(header) ?? (await keys.seek(header));

/** An unknown key is mostly a token of another stage or tenant: its keys have other ids. */
function noteKeys(rules: RuleOfToken[], { keys: { kids } }: Login): void {
  const last = rules.pop();
  const known = kids.length === 0 ? 'no key of the login is known' : `the login has ${kids.join(', ')}`;
  if (last) rules.push({ ...last, detail: `${last.detail} The keys: ${known}.` });
}

/** What a rule that is met says. */
function saysOf(name: string, login: Login, { claims }: ReadToken): string {
  const { audience, longestSeconds, require } = login;
  switch (name) {
    case 'issuer':
      return shown(claims['iss']);
    case 'times':
      return `valid until ${dateOf(claims['exp'])}`;
    case 'lifetime':
      return longestSeconds === undefined ? 'any' : `at most ${longestSeconds} s`;
    case 'audience':
      return `${(audience ?? ['muster, if any']).join(' or ')}`;
    default:
      return Object.keys(require).join(', ') || 'none';
  }
}

const dateOf = (seconds: unknown): string => {
  const date = new Date(Number(seconds) * 1_000);
  return Number.isNaN(date.getTime()) ? shown(seconds) : date.toISOString();
};

/** A value of a token, for people: it may be anything. */
const shown = (value: unknown): string =>
  value === undefined
    ? '(none)'
    : JSON.stringify(value)
        .replaceAll(/[^\x20-\x7E]/g, '?')
        .slice(0, 200);
