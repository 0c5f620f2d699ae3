import { describe, expect, it } from 'vitest';
import { serviceSettings } from './config.js';
import { exitCodeOf, readSettings } from './read-settings.js';

const env = {
  HTTP_PORT: '0',
  REDIS_URL: 'redis://127.0.0.1',
  DATABASE_URL: 'postgresql://muster@one,two/muster',
  PLAYER_JWKS: '{}',
  COORDINATOR_KEY: '{}',
  SERVER_KEY: 'server',
  OPERATOR_KEY: 'operator',
};

describe('the addresses of the database', () => {
  it('may be of several hosts, with an authority and a read replica', () => {
    expect(readSettings(serviceSettings, env)).toMatchObject({ DATABASE_READ_LAG_MS: 5_000 });
    const more = { DATABASE_READ_URL: 'postgresql://muster@three/muster', DATABASE_CA: 'PEM' };
    expect(readSettings(serviceSettings, { ...env, ...more })).toMatchObject(more);
  });

  it.each([
    [
      { DATABASE_URL: 'mysql://one' },
      /DATABASE_URL: The address of the database must have the form postgresql:/,
    ],
    [
      { DATABASE_READ_URL: 'postgresql://one?sslmode=on' },
      /DATABASE_READ_URL: .* has sslmode=on; possible are/,
    ],
    [{ DATABASE_READ_LAG_MS: '-1' }, /DATABASE_READ_LAG_MS: /],
    [{ DATABASE_CA: '@/no/such/file' }, /DATABASE_CA: cannot read the file \/no\/such\/file/],
  ])('are refused with a sentence: %j', (wrong, problem) => {
    expect(() => readSettings(serviceSettings, { ...env, ...wrong })).toThrow(problem);
  });
});

describe('an empty variable', () => {
  it('counts as unset where there is a default', () => {
    const empty = { HTTP_HOST: '', DRAIN_PAUSE_MS: '', REDIS_USERNAME: '', REALM: '', CORS_ORIGINS: '' };
    expect(readSettings(serviceSettings, { ...env, ...empty })).toEqual(readSettings(serviceSettings, env));
  });

  it('is refused where a value is required, with an exit code of its own', () => {
    const read = () => readSettings(serviceSettings, { ...env, DATABASE_URL: '', SERVER_KEY: undefined });
    expect(read).toThrow(/DATABASE_URL: is empty, and must be set\n {2}SERVER_KEY: is not set/);
    try {
      read();
    } catch (error) {
      expect(exitCodeOf(error)).toBe(78);
    }
    expect(exitCodeOf(new Error('another'))).toBe(1);
  });
});
