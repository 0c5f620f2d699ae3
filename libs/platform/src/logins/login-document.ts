import { PlatformName } from '@muster/domain/schemas';
import { isReservedId } from '@muster/domain';
import { z } from 'zod';
import { readYaml, type ReadDocument } from '../documents/yaml-document.js';
import { tokenAlgorithms, trustedKeys, type Jwks } from '../keys/jwt.js';
import { mayFetch } from '../keys/key-reader.js';
import { Entitlement, mostEntitlements } from './player-claims.js';

/** A claim by its name, or, with dots, by its path. */
const Claim = z.string().min(1, 'must name a claim').max(200);
const Value = z.union([z.string(), z.number(), z.boolean()]);

/** A claim by its name, or with more about it. */
const claimWith = <S extends z.ZodRawShape>(more: S, what: string) =>
  z.union([Claim.transform((claim) => ({ claim })), z.strictObject({ claim: Claim, ...more })], {
    error: `must be the name of a claim, or an object with claim and ${what}`,
  });

const Claims = z.strictObject({
  verified: claimWith(
    { is: z.array(Value).min(1).max(32) },
    'is, a list of values that mean “verified”',
  ).optional(),
  playMinutes: claimWith(
    { unit: z.enum(['seconds', 'minutes', 'hours']) },
    'unit: seconds, minutes or hours',
  ).optional(),
  accountCreatedAt: Claim.optional(),
  name: Claim.optional(),
  platform: claimWith(
    { values: z.record(z.string(), PlatformName) },
    'values, which names your platform for each of theirs',
  ).optional(),
  entitlements: claimWith(
    { values: z.record(z.string(), Entitlement) },
    `values, which names an entitlement for each value; the first ${mostEntitlements} count`,
  ).optional(),
});
export type ClaimsMap = z.infer<typeof Claims>;

const notFetchable =
  'must be an https address; http is for this machine, and with allowHttp: true for a network that you trust';
const isFetchable = (url: string, allowHttp: boolean): boolean =>
  URL.canParse(url) && mayFetch(new URL(url), allowHttp);

const allowHttp = z.boolean().default(false);
const Discovered = z.strictObject({ discover: z.literal(true), allowHttp });
const Published = z
  .strictObject({ url: z.string(), allowHttp })
  .refine((keys) => isFetchable(keys.url, keys.allowHttp), { path: ['url'], error: notFetchable });
const Given = z
  .looseObject({ keys: z.array(z.record(z.string(), z.unknown())).min(1).max(100) })
  .transform((jwks): { readonly jwks: Jwks } => ({ jwks: { keys: jwks.keys } }));

const Keys = z.union([Discovered, Published, Given], {
  error: 'must be { discover: true }, { url: https://… }, or a JWKS: an object with a list “keys”',
});

/** The prefix of guests; see `GUEST_LOGIN`. */
export const guestPrefix = 'guest';

const Prefix = z
  .string()
  .regex(
    /^([a-z0-9][a-z0-9-]{0,15})?$/,
    'must hold only small letters, digits and - (16 at most); or "" for ids without a prefix',
  )
  .refine((prefix) => prefix === '' || !isReservedId(`${prefix}:`), 'is reserved')
  .refine((prefix) => prefix !== guestPrefix, 'is the prefix of guests');

const Login = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must hold only small letters, digits and - (32 at most)'),
    /** The exact `iss`. */
    issuer: z.string().min(1).max(500),
    keys: Keys,
    algorithms: z
      .array(
        z.enum(tokenAlgorithms, {
          error: `must be one of ${tokenAlgorithms.join(', ')}; a secret that several parties know (HS256) proves nothing`,
        }),
      )
      .min(1, 'must name at least one algorithm'),
    audience: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(32)]).optional(),
    /** Claims that must have one of these values. */
    require: z.record(Claim, z.union([Value, z.array(Value).min(1).max(32)])).default({}),
    clockToleranceSeconds: z.number().int().min(0).max(300).default(30),
    longestSeconds: z.number().int().min(1).optional(),
    player: z
      .strictObject({
        claim: Claim.default('sub'),
        prefix: Prefix.optional(),
        ids: z.enum(['escaped', 'as-is']).default('escaped'),
      })
      .default({ claim: 'sub', ids: 'escaped' }),
    claims: Claims.default({}),
  })
  .superRefine(({ issuer, keys, algorithms, audience, require }, context) => {
    const flaw = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ('discover' in keys && !isFetchable(issuer, keys.allowHttp))
      flaw('issuer', `${notFetchable}, since its keys are discovered there`);
    if ('jwks' in keys) {
      if (keys.jwks.keys.some((key) => 'd' in key || 'k' in key))
        flaw('keys', 'has a private or secret key; give the public half, and replace the key');
      else if (!hasKey(keys.jwks, algorithms)) flaw('keys', `has no key for ${algorithms.join(', ')}`);
    } else if (audience === undefined && Object.keys(require).length === 0)
      flaw(
        'audience',
        'is needed, or a claim under require: the issuer signs tokens for other games and sites with the same keys',
      );
  });
export type LoginSettings = z.infer<typeof Login>;

function hasKey(keys: Jwks, algorithms: readonly (typeof tokenAlgorithms)[number][]): boolean {
  try {
    return trustedKeys(keys, algorithms).length > 0;
  } catch {
    return false;
  }
}

/** What must differ between logins. */
const LoginDocument = z
  .strictObject({ logins: z.array(Login).min(1).max(32) })
  .superRefine(({ logins }, context) => {
    const flaw = (i: number, path: string[], message: string): void =>
      context.addIssue({ code: 'custom', path: ['logins', i, ...path], message });
    for (const [i, { name, issuer, player }] of logins.entries()) {
      const before = logins.slice(0, i);
      if (before.some((each) => each.name === name)) flaw(i, ['name'], 'is that of a login above');
      if (before.some((each) => each.issuer === issuer)) flaw(i, ['issuer'], 'is that of a login above');
      const { prefix } = player;
      if (prefix === undefined && logins.length > 1)
        flaw(
          i,
          ['player'],
          'must have a prefix, since two logins may know different players by one id; "" if yours do not',
        );
      if (prefix && before.some((each) => each.player.prefix === prefix))
        flaw(i, ['player', 'prefix'], 'is that of a login above');
    }
  });

/** Reads PLAYER_LOGINS, in YAML or JSON. */
export function readLogins(text: string): ReadDocument<readonly LoginSettings[]> {
  const read = readYaml(text, LoginDocument);
  return read.ok ? { ok: true, value: read.value.logins } : read;
}
