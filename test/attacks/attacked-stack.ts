import { migratedDatabase } from '../support/database.js';
import type { LoginServer } from './login-server.js';
import { Stack } from '../support/stack.js';
import { inject } from 'vitest';

/** A system that is attacked: its own database, and shorter patience, so that slow attacks take seconds. */
export async function attackedStack(arcade: LoginServer): Promise<Stack> {
  const logins = [
    {
      name: 'arcade',
      issuer: arcade.url,
      keys: { url: `${arcade.url}/keys` },
      algorithms: ['ES256'],
      audience: 'muster',
      player: { claim: 'sub', prefix: 'arc' },
    },
  ];
  return Stack.start([], {
    env: {
      DATABASE_URL: await migratedDatabase(inject('postgresUrl')),
      PLAYER_LOGINS: JSON.stringify({ logins }),
      GUEST_LOGIN: 'on',
      // The bursts are those by default. Little is added, so that a slow machine meets the limits as well.
      RATE_LIMITS: JSON.stringify({
        tickets: {
          player: { burst: 30, perMinute: 6 },
          address: { burst: 600, perMinute: 60 },
        },
        logins: { address: { burst: 300, perMinute: 30 } },
        attempts: { address: { burst: 300, perMinute: 30 } },
      }),
      SOLVER_THREADS: '1',
      // Other than in the embedded run, no network inside is allowed, and no server on the machine itself.
      WEBHOOK_NETWORKS: '',
      SERVER_LOCAL_HOSTS: 'no',
      CORS_ORIGINS: 'https://play.example',
      // Attacks take longer than a server may be silent.
      SILENCE_MS: '600000',
      REQUEST_TIMEOUT_MS: '3000',
    },
  });
}
