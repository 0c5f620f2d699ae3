import { TooBusy } from '@muster/domain';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { Admission, admissionRules, refusing } from './admission.js';

let server: FastifyInstance | undefined;
afterEach(async () => {
  await server?.close();
});

/** An admission with a clock that stands where it is put. */
function admissionAt(targetMs = 40) {
  const clock = { ms: 0 };
  return {
    clock,
    admission: new Admission(
      admissionRules(targetMs),
      () => clock.ms,
      () => 0.5,
    ),
  };
}

/** Ten at a time that take 50 ms each, until a standing queue has been seen. */
async function fillSlowly(admission: Admission, clock: { ms: number }): Promise<void> {
  for (let i = 0; i < 60; i++) {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const ten = Array.from({ length: 10 }, () => admission.run(() => ended));
    clock.ms += 50;
    end();
    await Promise.allSettled(ten);
  }
}

describe('admission', () => {
  it('counts work in progress, and refuses more than the limit with the time to return', async () => {
    const { admission, clock } = admissionAt();
    await fillSlowly(admission, clock);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const working = Array.from({ length: admissionRules(40).least }, () => admission.run(() => ended));
    const refusal = await admission.run(() => ended).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TooBusy);
    expect(refusal).toMatchObject({ facts: { retryAfterSeconds: 1 } });
    end();
    await Promise.all(working);
    expect(admission.refusal()).toBeNull();
  });

  it('asks a crowd to return one after the other', async () => {
    const { admission, clock } = admissionAt();
    await fillSlowly(admission, clock);
    const working = Array.from({ length: 8 }, () =>
      admission.timed(
        () => new Promise(() => undefined),
        () => true,
      ),
    );
    expect(working).toHaveLength(8);
    // Some 180 a second are held.
    const seconds = Array.from({ length: 1_000 }, () => admission.refusal() ?? 0);
    expect(seconds.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => 1));
    expect(seconds.filter((each) => each === 3).length).toBeGreaterThan(100);
    expect(Math.max(...seconds)).toBeLessThan(9);
  });

  it('forgets work that failed, and does not learn from how fast it did', async () => {
    const { admission, clock } = admissionAt();
    await fillSlowly(admission, clock);
    for (let i = 0; i < 100; i++)
      await admission.run(() => Promise.reject(new Error('quick'))).catch(() => (clock.ms += 1));
    const working = Array.from({ length: 12 }, () =>
      admission.timed(
        () => new Promise(() => undefined),
        () => true,
      ),
    );
    expect(working).toHaveLength(12);
    expect(admission.refusal()).not.toBeNull();
  });

  it('with a target of 0, limits only how much is in progress', async () => {
    const { admission, clock } = admissionAt(0);
    await fillSlowly(admission, clock);
    const { most } = admissionRules(0);
    for (let i = 0; i < most; i++)
      void admission.timed(
        () => new Promise(() => undefined),
        () => true,
      );
    expect(admission.refusal()).not.toBeNull();
  });
});

it('answers a refused call before its body is read, with a problem and Retry-After', async () => {
  const refused: string[] = [];
  server = fastify();
  let isBusy = true;
  const admission = { refusal: () => (isBusy ? 7 : null) };
  server.post(
    '/v1/tickets',
    { onRequest: refusing(admission, ({ code }) => void refused.push(code)) },
    () => 'taken',
  );
  const call = {
    method: 'POST',
    url: '/v1/tickets?x=1',
    payload: '{',
    headers: { 'content-type': 'application/json' },
  } as const;
  const answer = await server.inject(call);
  expect(answer.statusCode).toBe(503);
  expect(answer.headers).toMatchObject({
    'retry-after': '7',
    'content-type': expect.stringMatching(/^application\/problem\+json/),
  });
  expect(answer.json()).toMatchObject({
    type: 'urn:muster:problem:too-busy',
    retryAfterSeconds: 7,
    instance: '/v1/tickets',
  });
  expect(refused).toEqual(['too-busy']);
  isBusy = false;
  expect((await server.inject({ ...call, payload: '{}' })).body).toBe('taken');
});
