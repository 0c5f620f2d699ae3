import type { BodyOf, KeyView, QueryOf } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { boldTable } from '@muster/command-line/terminal/table';

/** Creates a key, and shows it once. */
export async function createKey(
  ask: Ask,
  name: string,
  { role, expiresInDays, reason }: Omit<BodyOf<'createKey'>, 'name'>,
): Promise<Answer> {
  const made = await ask((operator) => operator.createKey({ name, role, expiresInDays, reason }));
  const until = made.expiresAt === null ? '' : `, until ${moment(made.expiresAt)}`;
  return {
    json: made,
    text: () => [
      `${made.key}`,
      `Key ${made.keyId} of ${name} with the role ${made.role}${until}. It is not shown again.`,
    ],
  };
}

/** Tells of the keys. */
export async function listKeys(ask: Ask): Promise<Answer> {
  const { keys } = await ask((operator) => operator.keys());
  return { json: { keys }, text: (ink) => keysText(keys, ink) };
}

/** Revokes a key. */
export async function revokeKey(ask: Ask, keyId: string, query: QueryOf<'revokeKey'>): Promise<Answer> {
  const key = await ask((operator) => operator.revokeKey(keyId, { reason: query.reason }));
  return { json: key, text: () => [`Key ${keyId} of ${key.name} is revoked.`] };
}

/** Tells whose key this command uses. */
export async function showMe(ask: Ask): Promise<Answer> {
  const me = await ask((operator) => operator.whoAmI());
  return { json: me, text: () => [`You are ${me.name} with the role ${me.role} (${me.signIn}).`] };
}

/** Keys as a table. */
export function keysText(keys: readonly KeyView[], ink: Ink): string[] {
  if (keys.length === 0) return ['There are no keys. The OPERATOR_KEY of the services is always valid.'];
  const when = (at: number | null): string => (at === null ? '-' : moment(at));
  return boldTable(
    ink,
    ['key', 'name', 'role', 'created', 'by', 'last used', 'expires', 'revoked'],
    keys.map((key) => [
      key.keyId,
      key.name,
      key.role,
      moment(key.createdAt),
      key.createdBy,
      when(key.lastUsedAt),
      when(key.expiresAt),
      when(key.revokedAt),
    ]),
  );
}
