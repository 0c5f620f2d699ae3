import forge from 'node-forge';
import { generateKeyPairSync } from 'node:crypto';
import { isIP } from 'node:net';

/** A key and its certificate, as PEM texts. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

/** What a certificate is for. One of a server names its hosts: DNS names or IP addresses. */
export interface Purpose {
  readonly client?: boolean;
  readonly server?: readonly string[];
}

/** A certificate authority. */
export interface Authority {
  /** Its own certificate, as PEM text. */
  readonly cert: string;
  /** Issues a certificate that is valid for a day. */
  issue(name: string, purpose: Purpose): Certified;
}

interface Keys {
  readonly key: string;
  readonly privateKey: forge.pki.rsa.PrivateKey;
  readonly publicKey: forge.pki.rsa.PublicKey;
}

function makeKeys(): Keys {
  const { privateKey: key, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return {
    key,
    privateKey: forge.pki.privateKeyFromPem(key),
    publicKey: forge.pki.publicKeyFromPem(publicKey),
  };
}

const dayMs = 86_400_000;
let serial = 0;

function certify(
  name: string,
  keys: Keys,
  issuer: { name: string; keys: Keys },
  extensions: object[],
): string {
  const cert = forge.pki.createCertificate();
  cert.publicKey = keys.publicKey;
  cert.serialNumber = (++serial).toString(16).padStart(2, '0');
  cert.validity.notBefore = new Date(Date.now() - dayMs);
  cert.validity.notAfter = new Date(Date.now() + dayMs);
  cert.setSubject([{ name: 'commonName', value: name }]);
  cert.setIssuer([{ name: 'commonName', value: issuer.name }]);
  cert.setExtensions(extensions);
  cert.sign(issuer.keys.privateKey, forge.md.sha256.create());
  return forge.pki.certificateToPem(cert);
}

/** Types of alternative names in X.509: 2 is a DNS name, 7 an IP address. */
const altName = (host: string): object => (isIP(host) ? { type: 7, ip: host } : { type: 2, value: host });

function extensionsOf({ client = false, server }: Purpose): object[] {
  const usage = { name: 'extKeyUsage', clientAuth: client, serverAuth: server !== undefined };
  return server ? [usage, { name: 'subjectAltName', altNames: server.map(altName) }] : [usage];
}

/** Makes an authority. */
export function makeAuthority(name: string): Authority {
  const keys = makeKeys();
  const cert = certify(name, keys, { name, keys }, [
    { name: 'basicConstraints', cA: true },
    { name: 'keyUsage', keyCertSign: true },
  ]);
  return {
    cert,
    issue: (subject, purpose) => {
      const own = makeKeys();
      return { key: own.key, cert: certify(subject, own, { name, keys }, extensionsOf(purpose)) };
    },
  };
}

/** Certificates of one authority: for a server at 127.0.0.1, for its client, and for a client of another authority. */
export interface Certificates {
  readonly ca: string;
  readonly server: Certified;
  readonly client: Certified;
  readonly stranger: Certified;
}

/** Certificates for mutual TLS. */
export function makeCertificates(): Certificates {
  const trusted = makeAuthority('Test authority');
  return {
    ca: trusted.cert,
    server: trusted.issue('server', { server: ['127.0.0.1'] }),
    client: trusted.issue('muster', { client: true }),
    stranger: makeAuthority('Another authority').issue('stranger', { client: true }),
  };
}
