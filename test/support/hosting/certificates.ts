import forge from 'node-forge';
import { generateKeyPairSync } from 'node:crypto';

/** A key and its certificate, as PEM texts. */
export interface Certified {
  readonly cert: string;
  readonly key: string;
}

/** Certificates of one authority: for a server at 127.0.0.1, for its client, and for a client of another authority. */
export interface Certificates {
  readonly ca: string;
  readonly server: Certified;
  readonly client: Certified;
  readonly stranger: Certified;
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

function authority(name: string): { name: string; keys: Keys; cert: string } {
  const keys = makeKeys();
  const cert = certify(name, keys, { name, keys }, [
    { name: 'basicConstraints', cA: true },
    { name: 'keyUsage', keyCertSign: true },
  ]);
  return { name, keys, cert };
}

function issued(name: string, issuer: { name: string; keys: Keys }, extensions: object[]): Certified {
  const keys = makeKeys();
  return { key: keys.key, cert: certify(name, keys, issuer, extensions) };
}

/** Certificates that are valid for a day. */
export function makeCertificates(): Certificates {
  const trusted = authority('Test authority');
  const other = authority('Another authority');
  const forClients = [{ name: 'extKeyUsage', clientAuth: true }];
  return {
    ca: trusted.cert,
    server: issued('agones-allocator', trusted, [
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ]),
    client: issued('muster', trusted, forClients),
    stranger: issued('stranger', other, forClients),
  };
}
