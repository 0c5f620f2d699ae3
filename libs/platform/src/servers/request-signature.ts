import {
  bytesOf,
  neededComponents,
  readSignatureInput,
  signatureAlgorithm,
  signatureBase,
  signatureWindowSeconds,
  type SignatureInput,
  type SignedMessage,
} from '@muster/contracts';
import { NotAuthenticated } from '@muster/domain';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A request as its signature sees it. */
export interface ReceivedMessage extends SignedMessage {
  /** The SHA-256 of the body, in base64; undefined without a body. */
  readonly bodyDigest: string | undefined;
}

/** What a signature says, before it is proved. */
export interface SaidSignature {
  readonly keyid: string;
  readonly nonce: string;
  readonly input: SignatureInput;
  readonly signature: Buffer;
}

const refused = (why: string): NotAuthenticated =>
  new NotAuthenticated(`The signature of the request ${why}`);

/**
 * Reads a signature and checks all of it but the proof.
 *
 * @param now in milliseconds since the epoch
 * @throws NotAuthenticated with the reason
 */
export function readSignature(message: ReceivedMessage, now: number): SaidSignature {
  const input = readSignatureInput(message.header('signature-input') ?? '');
  if (!input)
    throw refused(
      'cannot be read: send one Signature-Input, such as sig=("@method" "@path");created=…;nonce="…";keyid="…".',
    );
  const { params, components, label } = input;
  const { created, keyid, nonce } = Object.fromEntries(params);
  if (typeof keyid !== 'string' || typeof created !== 'number')
    throw refused('must have the parameters created, nonce and keyid.');
  if (typeof nonce !== 'string' || nonce.length < 8 || nonce.length > 100)
    throw refused('must have a nonce of 8 to 100 characters, a new one for each request.');
  if ((params.get('alg') ?? signatureAlgorithm) !== signatureAlgorithm)
    throw refused(`must be made with ${signatureAlgorithm}.`);
  const { bodyDigest } = message;
  const missing = neededComponents(message, bodyDigest !== undefined).filter(
    (each) => !components.includes(each),
  );
  if (missing.length > 0) throw refused(`must cover ${missing.map((each) => `"${each}"`).join(', ')}.`);
  const ageSeconds = Math.round(now / 1000) - created;
  if (Math.abs(ageSeconds) > signatureWindowSeconds)
    throw refused(
      `was created ${Math.abs(ageSeconds)} s ${ageSeconds > 0 ? 'ago' : 'ahead'} by the clock here; ${signatureWindowSeconds} s is the limit. Set the clock.`,
    );
  if (bodyDigest !== undefined && bytesOf(message.header('content-digest') ?? '', 'sha-256') !== bodyDigest)
    throw refused('covers a Content-Digest that is not the sha-256 of the body.');
  const signature = bytesOf(message.header('signature') ?? '', label);
  if (signature === null) throw refused(`is missing: send Signature with ${label}=:…:, in base64.`);
  return { keyid, nonce, input, signature: Buffer.from(signature, 'base64') };
}

/** @throws NotAuthenticated unless one of the keys made the signature. Compared in constant time. */
export function proveSignature(
  message: SignedMessage,
  { input, signature }: SaidSignature,
  keys: readonly Buffer[],
): void {
  const base = signatureBase(message, input);
  if (base === null) throw refused('covers a component that the request does not have.');
  const isProved = keys.some((key) => {
    const made = createHmac('sha256', key).update(base).digest();
    return made.length === signature.length && timingSafeEqual(made, signature);
  });
  if (!isProved)
    throw refused('is not made with the key that it names, or the request was changed on its way.');
}
