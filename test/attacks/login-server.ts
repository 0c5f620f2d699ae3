import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** How it answers for its keys. */
export type Manner = 'well' | 'endlessly' | 'never' | 'elsewhere' | 'emptily';

/** A login of a game, which publishes its keys at an address. */
export class LoginServer {
  manner: Manner = 'well';
  /** How often its keys were asked for. */
  reads = 0;
  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly key: Key,
    readonly publicKey: JWK,
  ) {}

  static async start(): Promise<LoginServer> {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
    const login = new LoginServer(server, `http://127.0.0.1:${port}`, privateKey, jwk);
    server.on('request', (_request, response: ServerResponse) => login.answer(response));
    return login;
  }

  /** A token of a player. @param header in place of the right one */
  token(claims: JWTPayload = {}, header: object = {}, key = this.key): Promise<string> {
    return new SignJWT({ iss: this.url, aud: 'muster', sub: 'atk-arcade', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
      .setIssuedAt()
      .setExpirationTime(claims.exp ?? '1h')
      .sign(key);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer(response: ServerResponse): void {
    this.reads++;
    switch (this.manner) {
      case 'never':
        return;
      case 'elsewhere':
        return void response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      case 'emptily':
        return void response.end('{"keys":[]}');
      case 'endlessly':
        return void response.end(`{"keys":["${'x'.repeat(10_000_000)}"]}`);
      case 'well':
        return void response.end(JSON.stringify({ keys: [this.publicKey] }));
    }
  }
}
