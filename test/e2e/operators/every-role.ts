import { endpoints, mayAct, operatorRoles, type Endpoint, type OperatorRole } from '@muster/contracts';

/** Who may make a call: nobody known, a person of the identity provider without a role, and the callers of the table. */
export const everybody = ['nobody', 'no role', 'player', 'server', 'fleet', ...operatorRoles] as const;
export type Who = (typeof everybody)[number];
export type Verdict = 'admitted' | 'refused' | 'unknown';

const isRole = (who: Who): who is OperatorRole => operatorRoles.some((role) => role === who);

/** What the table says. */
export function verdictOf({ callers, role }: Endpoint, who: Who): Verdict {
  if (callers.includes('anyone')) return 'admitted';
  if (who === 'nobody') return 'unknown';
  if (who === 'no role') return 'refused';
  const may = isRole(who)
    ? callers.includes('operator') && role !== undefined && mayAct(who, role)
    : callers.includes(who);
  return may ? 'admitted' : 'refused';
}

/** Values of the parameters of paths that name something. What others name is not there. */
const known: Readonly<Record<string, string>> = {
  seq: '1',
  number: '1',
  queue: '1v1',
  pool: 'duel',
  jobQueue: 'conduct',
};

/** Makes a call with nothing in its body. @returns what the service decided before it looked at what was asked */
export async function tryCall(
  url: string,
  { method, path, body }: Endpoint,
  token: string | undefined,
): Promise<Verdict> {
  const at = path.replaceAll(/:(\w+)/g, (_, name: string) => known[name] ?? `${name}_not-there-at-all`);
  const response = await fetch(new URL(at, url), {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: '{}' } : {}),
  });
  if (response.status === 401) return 'unknown';
  if (response.status === 403) {
    const { detail } = (await response.json()) as { detail: string };
    return /^This call (is for|needs) |names no role/.test(detail) ? 'refused' : 'admitted';
  }
  // A stream does not end by itself.
  await response.body?.cancel();
  return 'admitted';
}

export const calls = Object.entries<Endpoint>(endpoints);
