import { Misconfigured } from '@muster/domain';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../core/logging.js';
import { exitCodeOf } from '../core/read-settings.js';
import { Starting } from './starting.js';

const withCode = (code: string, message = 'refused'): Error => Object.assign(new Error(message), { code });

describe('a store that answers with an error while a service starts', () => {
  const starting = new Starting('rating', null, createLog('rating', 'silent'));
  afterEach(() => starting.over());

  const endOf = (error: unknown): Promise<unknown> =>
    starting.until('PostgreSQL', () => Promise.reject(error)).catch((end: unknown) => end);

  it.each([
    ['a wrong password', withCode('28P01')],
    ['no right to a table', withCode('42501')],
    ['a certificate that nobody signed', withCode('DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['a wrong password of Redis', new Misconfigured('WRONGPASS invalid username-password pair')],
  ])('ends it for good: %s', async (_what, error) => {
    const end = await endOf(error);
    expect(exitCodeOf(end)).toBe(78);
    expect(end).toHaveProperty('message', `rating cannot start: PostgreSQL: ${error.message}`);
  });

  it.each([
    ['a fault of ours', new TypeError('x is not a function')],
    ['what a store of tomorrow says', new Error('ERR try that later')],
  ])('lets a supervisor try again where nobody foresaw it: %s', async (_what, error) => {
    const end = await endOf(error);
    expect(exitCodeOf(end)).toBe(1);
    expect(end).toHaveProperty('message', `rating cannot start: PostgreSQL: ${error.message}`);
  });
});
