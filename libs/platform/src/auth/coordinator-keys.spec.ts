import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { coordinatorKeys } from './coordinator-keys.js';

const jwk = (): object => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });

it('reads one key, in a line or in several', () => {
  const key = jwk();
  for (const text of [JSON.stringify(key), ` ${JSON.stringify(key, null, 2)}\n`])
    expect(coordinatorKeys(text).map((each) => JSON.parse(each))).toEqual([key]);
});

it('reads two keys with white space between them, in their order', () => {
  const keys = [jwk(), jwk()];
  for (const space of [undefined, 2])
    for (const gap of [' ', '\n', '\n\n\t'])
      expect(
        coordinatorKeys(keys.map((key) => JSON.stringify(key, null, space)).join(gap)).map((each) =>
          JSON.parse(each),
        ),
      ).toEqual(keys);
});
