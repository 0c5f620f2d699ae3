import fc from 'fast-check';

/**
 * The seed of property tests. The same in every run, so that the result for a commit does not depend on chance.
 * `MUSTER_TEST_SEED=random` searches for new cases; a number repeats a failed run.
 */
const requested = process.env.MUSTER_TEST_SEED ?? '20261122';
if (requested !== 'random') {
  const seed = Number(requested);
  if (!Number.isSafeInteger(seed))
    throw new Error(
      `MUSTER_TEST_SEED is ${JSON.stringify(requested)}; it must be a whole number, or "random"`,
    );
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
