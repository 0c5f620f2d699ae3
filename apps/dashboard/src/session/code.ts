import { clientWith } from './session.js';

/** The code of a link that signs in once; it leaves the address at once. */
export function takeCode(): string | null {
  const code = new URLSearchParams(window.location.hash.slice(1)).get('code');
  if (code !== null) window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return code;
}

/** The key that a code is good for, once. */
export async function exchangeCode(code: string): Promise<string> {
  const { key } = await clientWith('none').calls.signIn({ body: { code } });
  return key;
}
