import { credentials, ServerCredentials, type ChannelCredentials } from '@grpc/grpc-js';
import { Misconfigured } from '@muster/domain';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** The settings that switch mutual TLS on. */
export interface RpcTlsSettings {
  readonly GRPC_CA_FILE?: string | undefined;
  readonly GRPC_CERT_FILE?: string | undefined;
  readonly GRPC_KEY_FILE?: string | undefined;
}

/** PEM texts for mutual TLS. */
export interface RpcTls {
  /** Authorities of the certificates of callers and of services; several follow each other. */
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

const names = ['GRPC_CA_FILE', 'GRPC_CERT_FILE', 'GRPC_KEY_FILE'] as const;

/**
 * Reads the files of mutual TLS.
 *
 * @returns null if none is set
 * @throws Misconfigured if some are set, or if they cannot be used
 */
export function readRpcTls(settings: RpcTlsSettings): RpcTls | null {
  const missing = names.filter((name) => settings[name] === undefined);
  if (missing.length === names.length) return null;
  if (missing.length > 0)
    throw new Misconfigured(
      `TLS between services needs ${names.join(', ')}; ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set.`,
    );
  const [ca, cert, key] = names.map((name) => read(name, settings[name] ?? '')) as [Buffer, Buffer, Buffer];
  // OpenSSL ignores text that is none, and then trusts nobody.
  if (!ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new Misconfigured('The file in GRPC_CA_FILE has no certificate in PEM form.');
  try {
    createSecureContext({ ca, cert, key });
  } catch (error) {
    // The message of OpenSSL names the problem and no part of a file.
    const why = error instanceof Error ? error.message : String(error);
    throw new Misconfigured(`The files in ${names.join(', ')} cannot be used together: ${why}.`, {
      cause: error,
    });
  }
  return { ca, cert, key };
}

function read(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Misconfigured(`${name} names a file that cannot be read: ${file}.`, { cause: error });
  }
}

/** Of a server. Callers need a certificate of the authority. */
export function serverCredentials(tls: RpcTls | null): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(tls.ca, [{ private_key: tls.key, cert_chain: tls.cert }], true);
}

/** Of a client. The server's certificate names the host of the address. */
export function clientCredentials(tls: RpcTls | null): ChannelCredentials {
  return tls ? credentials.createSsl(tls.ca, tls.key, tls.cert) : credentials.createInsecure();
}
