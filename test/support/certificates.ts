import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A certificate that its key signed, as PEM texts. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a certificate with openssl. @param names such as `DNS:db.example,IP:127.0.0.1` */
export async function certificateFor(names: string): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-certificate-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const files = ['-keyout', key, '-out', certificate];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=muster-test', '-addext', `subjectAltName=${names}`];
  try {
    await promisify(execFile)('openssl', ['req', '-x509', '-days', '2', ...kind, ...files, ...subject]);
    return { certificate: await readFile(certificate, 'utf8'), key: await readFile(key, 'utf8') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
