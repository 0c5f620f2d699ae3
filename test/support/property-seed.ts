import fc from 'fast-check';

/**
 * What properties draw from. One seed for every run, so that what the tests say of a commit does not depend on luck: a
 * failure by chance would be somebody else's. `MUSTER_TEST_SEED=random` draws anew, to look for what no run has met yet;
 * a number repeats a run that failed.
 */
const asked = process.env.MUSTER_TEST_SEED ?? '20261122';
if (asked !== 'random') {
  const seed = Number(asked);
  if (!Number.isSafeInteger(seed))
    throw new Error(`MUSTER_TEST_SEED is ${JSON.stringify(asked)}; it must be a whole number, or "random"`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
