import { Misconfigured } from '@muster/domain';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { grpcAddress, serviceSettings } from './config.js';
import { exitCodeOf, readSettings } from './read-settings.js';

const { privateKey } = generateKeyPairSync('ed25519');
const env = {
  HTTP_PORT: '0',
  REDIS_URL: 'redis://127.0.0.1',
  DATABASE_URL: 'postgresql://muster@one,two/muster',
  PLAYER_JWKS: '{"keys":[]}',
  COORDINATOR_KEY: JSON.stringify(privateKey.export({ format: 'jwk' })),
  SERVER_KEY: 'server',
  OPERATOR_KEY: 'operator',
};

describe('the addresses of the database', () => {
  it('may be of several hosts, with an authority and a read replica', () => {
    expect(readSettings(serviceSettings, env)).toMatchObject({ DATABASE_READ_LAG_MS: 5_000 });
    const more = {
      DATABASE_READ_URL: 'postgresql://muster@three/muster',
      DATABASE_CA: '-----BEGIN CERTIFICATE-----',
    };
    expect(readSettings(serviceSettings, { ...env, ...more })).toMatchObject(more);
  });

  it.each(['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE'])(
    'may have an authority in each form of PEM that Node reads: %s',
    (form) => {
      const DATABASE_CA = `-----BEGIN ${form}-----`;
      expect(readSettings(serviceSettings, { ...env, DATABASE_CA })).toMatchObject({ DATABASE_CA });
    },
  );

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
    [{ DATABASE_CA: '/etc/ca.pem' }, /DATABASE_CA: must be a certificate in PEM form, or @file/],
    [{ DATABASE_CA: '@/no/such/file' }, /DATABASE_CA: cannot read the file \/no\/such\/file/],
  ])('are refused with a sentence: %j', (wrong, problem) => {
    expect(() => readSettings(serviceSettings, { ...env, ...wrong })).toThrow(problem);
  });
});

describe('keys', () => {
  it.each([
    [
      'PLAYER_JWKS',
      'half a se',
      /^.*\n {2}PLAYER_JWKS: must be a JWKS, that is JSON with a list "keys", or @file$/,
    ],
    ['PLAYER_JWKS', '{"half a se":1}', /^.*\n {2}PLAYER_JWKS: must be a JWKS, /],
    [
      'OPERATOR_JWKS',
      'half a se',
      /^.*\n {2}OPERATOR_JWKS: must be the https address of a JWKS, or a JWKS, /,
    ],
    ['OPERATOR_JWKS', 'https://', /^.*\n {2}OPERATOR_JWKS: must be the https address of a JWKS, /],
    [
      'OPERATOR_ROLE_NAMES',
      'boss=half a se',
      /^.*\n {2}OPERATOR_ROLE_NAMES: must be pairs such as operator=on-call, /,
    ],
    [
      'COORDINATOR_KEY',
      'half a se',
      /^.*\n {2}COORDINATOR_KEY: must be a private JWK \(Ed25519\), or two .*, or @file$/,
    ],
    [
      'COORDINATOR_KEY',
      '{"kty":"OKP","crv":"Ed25519","x":"half a se"}',
      /^.*\n {2}COORDINATOR_KEY: must be /,
    ],
  ])('of no use are refused by the name of the setting, and not repeated: %s %s', (name, value, problem) => {
    const read = () => readSettings(serviceSettings, { ...env, [name]: value });
    expect(read).toThrow(problem);
    expect(read).not.toThrow(/half a se/);
  });
});

describe('the address of a service', () => {
  it('says of several addresses what they are, as a list without that would be looked up as one name', () => {
    const schema = z.object({ RATING_GRPC: grpcAddress });
    for (const address of ['127.0.0.1:1', 'dns:///rating:50051', 'ipv4:10.0.0.5:1,10.0.0.6:1'])
      expect(readSettings(schema, { RATING_GRPC: address })).toEqual({ RATING_GRPC: address });
    expect(() => readSettings(schema, { RATING_GRPC: '10.0.0.5:1,10.0.0.6:1' })).toThrow(
      /RATING_GRPC: must begin with ipv4: or ipv6: if it has several addresses/,
    );
  });
});

describe('a file that settings name', () => {
  it('ends the process with the exit code of settings if it cannot be used', () => {
    const schema = z.object({}).transform(() => {
      throw new Error('QUEUES_FILE cannot be read');
    });
    expect(() => readSettings(schema, {})).toThrow(new Misconfigured('QUEUES_FILE cannot be read'));
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
