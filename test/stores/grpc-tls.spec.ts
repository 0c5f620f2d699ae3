import { noMeter, rpc } from '@muster/contracts';
import { Misconfigured } from '@muster/domain';
import { createLog, LOG, METER, RpcMethod, RpcUnavailable, type RpcSettings } from '@muster/platform';
import { Controller } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeAuthority, type Authority, type Certified } from '../support/certificates.js';
import { testWire } from '../support/grpc-wire.js';

type TlsSettings = Pick<RpcSettings, 'GRPC_CA_FILE' | 'GRPC_CERT_FILE' | 'GRPC_KEY_FILE'>;

@Controller()
class Peer {
  @RpcMethod(rpc.allocator, 'CountSlots')
  async countSlots(): Promise<unknown> {
    return { known: true, used: 1, free: 2 };
  }
}

class PeerModule {}

let folder: string;
let old: Authority;
let next: Authority;
let number = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-grpc-'));
  [old, next] = [makeAuthority('Authority'), makeAuthority('Next authority')];
});
afterAll(() => rmSync(folder, { recursive: true }));

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function file(text: string): string {
  const path = join(folder, `${++number}.pem`);
  writeFileSync(path, text);
  return path;
}

/** Of a service, which is a server and a client. */
const certificate = (authority: Authority, hosts = ['127.0.0.1', 'localhost']): Certified =>
  authority.issue('muster', { client: true, server: hosts });

const tls = (own: Certified, ...trusted: Authority[]): TlsSettings => ({
  GRPC_CA_FILE: file(trusted.map(({ cert }) => cert).join('\n')),
  GRPC_CERT_FILE: file(own.cert),
  GRPC_KEY_FILE: file(own.key),
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the allocator. @returns its port, and what stops it */
async function serve(settings: TlsSettings): Promise<{ port: number; stop: () => Promise<void> }> {
  const port = await freePort();
  const providers = [
    { provide: LOG, useValue: createLog('test', 'silent') },
    { provide: METER, useValue: noMeter },
  ];
  const wire = testWire('allocator', settings);
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(
    { module: PeerModule, controllers: [Peer], providers },
    { ...(wire.serve(rpc.allocator, '127.0.0.1', port) as MicroserviceOptions), logger: false },
  );
  await app.listen();
  ends.unshift(() => app.close());
  return { port, stop: () => app.close() };
}

function clientOf(settings: TlsSettings, target: string): () => Promise<object> {
  const client = testWire('queue', settings).connect(rpc.allocator, target);
  ends.unshift(() => client.close());
  return () => client.call<object, object>('countSlots', {}, 6_000);
}

describe('mutual TLS between services', () => {
  it('lets services of one authority call each other by address and by name', async () => {
    const { port } = await serve(tls(certificate(old), old));
    for (const target of [`ipv4:127.0.0.1:${port}`, `dns:///localhost:${port}`])
      expect(await clientOf(tls(certificate(old), old), target)()).toMatchObject({ used: 1, free: 2 });
  });

  it('refuses callers without a certificate, of another authority, and without TLS', async () => {
    const { port } = await serve(tls(certificate(old), old));
    const target = `ipv4:127.0.0.1:${port}`;
    const stranger = tls(certificate(next), old);
    for (const settings of [stranger, {}])
      await expect(clientOf(settings, target)()).rejects.toBeInstanceOf(RpcUnavailable);
    // By hand, without a certificate of its own.
    const session = connect(`https://127.0.0.1:${port}`, { ca: old.cert });
    const ended = await new Promise((resolve) => {
      session.once('error', resolve);
      session.once('close', () => resolve('closed'));
      session.request({ ':path': '/' }).once('error', resolve);
    });
    expect(String(ended)).toMatch(/certificate required|closed|CANCEL|ECONNRESET/i);
  });

  it('does not call what is no service of the authority, or has the certificate of another host', async () => {
    const { port } = await serve(tls(certificate(next), next, old));
    await expect(clientOf(tls(certificate(old), old), `ipv4:127.0.0.1:${port}`)()).rejects.toBeInstanceOf(
      RpcUnavailable,
    );
    const elsewhere = await serve(tls(certificate(old, ['rating.example']), old));
    await expect(
      clientOf(tls(certificate(old), old), `ipv4:127.0.0.1:${elsewhere.port}`)(),
    ).rejects.toBeInstanceOf(RpcUnavailable);
  });

  it('changes authorities one replica at a time: first all trust both, then each gets its certificate', async () => {
    const replicas = [await serve(tls(certificate(old), old)), await serve(tls(certificate(old), old))];
    const steps = [
      tls(certificate(old), old, next),
      tls(certificate(next), old, next),
      tls(certificate(next), next),
    ];
    let own = tls(certificate(old), old);
    for (const step of steps) {
      for (const i of replicas.keys()) {
        await replicas[i]?.stop();
        replicas[i] = await serve(step);
        const target = `ipv4:${replicas.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
        // A client of before the step, and one of after it.
        for (const settings of [own, step]) {
          const ask = clientOf(settings, target);
          for (let call = 0; call < 6; call++) expect(await ask()).toMatchObject({ known: true });
        }
      }
      own = step;
    }
  });
});

describe('the files of TLS', () => {
  const wrong = (settings: TlsSettings): string => {
    try {
      testWire('queue', settings);
    } catch (error) {
      expect(error).toBeInstanceOf(Misconfigured);
      return error instanceof Error ? error.message : '';
    }
    return 'nothing is wrong';
  };

  it('are all set, or none', () => {
    const { GRPC_KEY_FILE: _, ...some } = tls(certificate(old), old);
    expect(wrong(some)).toBe(
      'TLS between services needs GRPC_CA_FILE, GRPC_CERT_FILE, GRPC_KEY_FILE; GRPC_KEY_FILE is not set.',
    );
  });

  it('exist and belong together; a message names the setting, and nothing of a key', () => {
    const good = tls(certificate(old), old);
    expect(wrong({ ...good, GRPC_CERT_FILE: '/nowhere' })).toBe(
      'GRPC_CERT_FILE names a file that cannot be read: /nowhere.',
    );
    const other = certificate(old);
    expect(wrong({ ...good, GRPC_KEY_FILE: file(other.key) })).toMatch(/cannot be used together: .*mismatch/);
    expect(wrong({ ...good, GRPC_CA_FILE: file('no certificate') })).toMatch(/GRPC_CA_FILE.*no certificate/);
    for (const name of ['GRPC_CERT_FILE', 'GRPC_KEY_FILE']) {
      const text = wrong({ ...good, [name]: file('secret text') });
      expect(text).toContain('cannot be used together');
      expect(text).not.toContain('secret text');
    }
  });
});
