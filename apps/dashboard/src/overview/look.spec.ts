import { MusterProblem } from '@muster/sdk';
import { expect, it } from 'vitest';
import { gather } from './look.js';

const problem = (status: number): MusterProblem =>
  new MusterProblem({ type: 'about:blank', title: 'No', status, detail: 'No.' });

it('keeps the answers of calls beside one that fails', async () => {
  const lost = problem(503);
  expect(
    await gather({ listPools: Promise.resolve({ pools: [] }), readCapacity: Promise.reject(lost) }),
  ).toEqual({ listPools: { pools: [] }, failed: [{ call: 'readCapacity', error: lost }] });
});

it('fails when all fail, and when the key is not valid any more', async () => {
  const lost = problem(503);
  await expect(gather({ listPools: Promise.reject(lost) })).rejects.toBe(lost);
  const out = problem(401);
  await expect(
    gather({ listPools: Promise.resolve({ pools: [] }), readCapacity: Promise.reject(out) }),
  ).rejects.toBe(out);
});
