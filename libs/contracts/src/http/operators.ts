import { CoordinatorId, textUpTo } from '@muster/domain/schemas';
import { z } from 'zod';
import { operatorRoles } from '../operator-roles.js';
import { wholeInUrl } from '../query-numbers.js';
import { EpochMs, inOrder, isRange, Moment } from '../times.js';
import { Text } from './operator-words.js';
import { Cursor } from './pages.js';

/** Who holds a key: a person or a tool. */
export const KeyName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,63}$/,
    'must be a name of letters, digits and _ . : @ - (64 at most)',
  );
const Role = z.enum(operatorRoles).meta({
  description: 'Each role may do what those before it may.',
});

export const CreateKey = z
  .strictObject({
    name: KeyName.meta({ description: 'Who holds it. Two keys of a name may be valid, for a rotation.' }),
    role: Role,
    expiresInDays: z
      .number()
      .int()
      .min(1)
      .max(3_650)
      .optional()
      .meta({ description: 'Absent: until it is revoked.' }),
    reason: Text.optional(),
  })
  .meta({ id: 'CreateKey' });
export type CreateKey = z.infer<typeof CreateKey>;

export const KeyParams = z.strictObject({ keyId: CoordinatorId });
export const RevokeKey = z.strictObject({ reason: Text.optional() });

export const KeyView = z
  .object({
    keyId: CoordinatorId,
    name: z.string(),
    role: Role,
    createdAt: EpochMs,
    createdBy: z.string(),
    expiresAt: EpochMs.nullable(),
    revokedAt: EpochMs.nullable(),
    lastUsedAt: EpochMs.nullable().meta({ description: 'To within a minute; null: never.' }),
    ofSignIn: z.boolean().meta({
      description:
        'Whether it came from a code: it ends within twelve hours, and is not counted among the two of a name.',
    }),
  })
  .meta({ id: 'OperatorKey' });
export type KeyView = z.infer<typeof KeyView>;
export const KeyCreated = KeyView.extend({
  key: z.string().meta({ description: 'The key itself. It is stored hashed and shown only here.' }),
}).meta({ id: 'OperatorKeyCreated' });
export const KeyList = z
  .object({
    keys: z
      .array(KeyView)
      .meta({ description: 'Newest first; revoked ones for 90 days, those of sign-ins for a day.' }),
  })
  .meta({ id: 'OperatorKeys' });

export const SignInCode = z
  .object({
    code: z.string().meta({ description: 'Signs in once, with the role of who asked for it.' }),
    expiresAt: EpochMs,
  })
  .meta({ id: 'SignInCode' });
export type SignInCode = z.infer<typeof SignInCode>;
export const SignIn = z
  .strictObject({ code: z.string().regex(/^[A-Za-z0-9_-]{20,100}$/, 'is not a code') })
  .meta({ id: 'SignIn' });

export const signInKinds = ['key', 'token', 'setting', 'command'] as const;
export type SignInKind = (typeof signInKinds)[number];
const KindOfSignIn = z.enum(signInKinds).meta({
  description:
    '`key`: a key of the list. `token`: of the identity provider. `setting`: the OPERATOR_KEY of the services. `command`: a command that connects to the database.',
});

export const OperatorView = z
  .object({ name: z.string(), role: Role, signIn: KindOfSignIn, keyId: CoordinatorId.nullable() })
  .meta({ id: 'Operator' });
export type OperatorView = z.infer<typeof OperatorView>;

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const Rows = z.array(z.record(z.string(), z.unknown())).nullable();

export const AuditEntry = z
  .object({
    auditId: z.string(),
    at: EpochMs,
    service: z.string(),
    who: z.string().meta({ description: 'The name of the key, or the person of the token.' }),
    signIn: KindOfSignIn,
    keyId: z.string().nullable(),
    role: Role,
    call: z.string().meta({ description: 'The `operationId` of the call.' }),
    targets: z
      .array(z.string())
      .meta({ description: 'What the call names: players, pools, matches, servers.' }),
    reason: z.string().nullable(),
    asked: z.record(z.string(), Scalar).nullable().meta({
      description:
        'The plain fields of path, query and body; null after the erasure of a player whom it names.',
    }),
    before: Rows.meta({
      description:
        'Rows of tables before the change, each with its `table`, key and the fields that changed, without long documents. Of many rows the first.',
    }),
    after: Rows.meta({ description: 'The same after it; of a call that changed no table, its answer.' }),
    from: z.string().meta({
      description:
        'The addresses of `X-Forwarded-For`, and last the peer of the service. Only what your proxies wrote is to be trusted.',
    }),
    outcome: z.string().meta({ description: '`done`, or the code of the problem.' }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;
export const AuditPage = z
  .object({ entries: z.array(AuditEntry), next: z.string().nullable() })
  .meta({ id: 'AuditPage' });
export type AuditPage = z.infer<typeof AuditPage>;

const which = {
  who: textUpTo(200).optional(),
  call: z
    .string()
    .regex(/^\w{1,64}$/, 'must be the name of a call')
    .optional()
    .meta({ description: 'The `operationId` of a call.' }),
  target: textUpTo(200)
    .optional()
    .meta({ description: 'A player, pool, match or server that the call names.' }),
  from: Moment.optional(),
  to: Moment.optional(),
};
export const PageOfAudit = z
  .strictObject({ ...which, limit: wholeInUrl(1, 500).default(50), cursor: Cursor })
  .refine(isRange, inOrder);
export type PageOfAudit = z.infer<typeof PageOfAudit>;
export const ExportAudit = z.strictObject(which).refine(isRange, inOrder);
