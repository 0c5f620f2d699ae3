/**
 * The part of HTTP Message Signatures (RFC 9421) that servers and coordinator use: one signature by hmac-sha256 over names of
 * components without parameters. Nothing here is secret or computes a signature.
 */

/** What a signature is of. */
export interface SignedMessage {
  readonly method: string;
  /** The target of the request, as it is sent: path and query. */
  readonly target: string;
  readonly header: (name: string) => string | undefined;
}

/** The parameters of a signature. */
export interface SignatureParams {
  /** Seconds since the epoch. */
  readonly created: number;
  readonly keyid: string;
  readonly nonce: string;
}

/** The `Signature-Input` of a message: what the signature covers. */
export interface SignatureInput {
  readonly label: string;
  readonly components: readonly string[];
  /** As they are sent: the last line of what is signed. */
  readonly text: string;
  readonly params: ReadonlyMap<string, string | number>;
}

/** The window in which a signature is taken, before and after, in seconds. */
export const signatureWindowSeconds = 60;

export const signatureAlgorithm = 'hmac-sha256';

/** The longest header of a signature that is read. */
const longest = 1_000;
const name = '"[a-z@][a-z0-9-]*"';
const shape = new RegExp(
  `^([a-z*][a-z0-9_.*-]{0,31})=(\\((${name}(?: ${name})*)?\\)((?:;[a-z*][a-z0-9_.*-]*=(?:[0-9]{1,15}|"[ !#-\\[\\]-~]*"))*))$`,
);
const param = /;([a-z*][a-z0-9_.*-]*)=(?:([0-9]{1,15})|"([^"]*)")/g;

/** Reads a `Signature-Input` of one signature; null for other texts. */
export function readSignatureInput(header: string): SignatureInput | null {
  if (header.length > longest) return null;
  const [, label, text, list = '', rest = ''] = shape.exec(header) ?? [];
  if (label === undefined || text === undefined) return null;
  const components = list === '' ? [] : list.split(' ').map((each) => each.slice(1, -1));
  if (new Set(components).size < components.length) return null;
  const pairs = [...rest.matchAll(param)].map(
    ([, key = '', digits, words = '']) => [key, digits === undefined ? words : Number(digits)] as const,
  );
  const params = new Map(pairs);
  return params.size < pairs.length ? null : { label, components, text, params };
}

/** Reads the bytes of one member of a dictionary, in base64, such as those of `Signature` and `Content-Digest`. */
export function bytesOf(header: string, member: string): string | null {
  if (header.length > longest) return null;
  const found = header
    .split(',')
    .map((each) => /^ *([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}): *$/.exec(each))
    .filter((each) => each?.[1] === member);
  return found.length === 1 ? (found[0]?.[2] ?? null) : null;
}

/** What a message must cover: all that decides what a call does, and who makes it. */
export function neededComponents({ target, header }: SignedMessage, hasBody: boolean): readonly string[] {
  return [
    '@method',
    '@path',
    ...(target.includes('?') ? ['@query'] : []),
    ...(hasBody ? ['content-digest'] : []),
    ...['authorization', 'idempotency-key'].filter((each) => header(each) !== undefined),
  ];
}

/** The text that is signed (RFC 9421, 2.5); null if the message lacks a component. */
export function signatureBase(
  message: SignedMessage,
  { components, text }: Pick<SignatureInput, 'components' | 'text'>,
): string | null {
  const lines: string[] = [];
  for (const component of components) {
    const value = valueOf(message, component);
    if (value === undefined) return null;
    lines.push(`"${component}": ${value}`);
  }
  return [...lines, `"@signature-params": ${text}`].join('\n');
}

function valueOf({ method, target, header }: SignedMessage, component: string): string | undefined {
  const query = target.indexOf('?');
  if (component === '@method') return method;
  if (component === '@path') return query < 0 ? target : target.slice(0, query);
  if (component === '@query') return query < 0 ? '?' : target.slice(query);
  // It need not be covered: a proxy may change it, as it may the scheme, which nothing here covers.
  if (component === '@authority') return header('host')?.toLowerCase();
  return component.startsWith('@') ? undefined : header(component)?.trim();
}

/** The `Signature-Input` of a message without its label. */
export function signatureParams(
  components: readonly string[],
  { created, keyid, nonce }: SignatureParams,
): string {
  const list = components.map((each) => `"${each}"`).join(' ');
  return `(${list});created=${created};nonce="${nonce}";keyid="${keyid}";alg="${signatureAlgorithm}"`;
}

/** The prefix of fleet keys. */
export const fleetKeyPrefix = 'mfk_';

/** The id of a fleet key, which is a part of it; null for another text. */
export function fleetKeyId(key: string): string | null {
  const [, id] = /^mfk_([\w-]{22})[\w-]{43}$/.exec(key) ?? [];
  return id === undefined ? null : `flk_${id}`;
}

/** What the key of a server's own signatures is derived from by HMAC, with the fleet key. */
export const serverKeyPurpose = (serverId: string): string => `muster server ${serverId}`;

/** How signatures of a server name their key. */
export const serverKeyName = (keyId: string, serverId: string): string => `${keyId}/${serverId}`;
