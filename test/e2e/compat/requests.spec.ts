import { JobSender } from '@muster/platform';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordedReleases } from '../../support/compat/release.js';
import { replay, type Difference } from '../../support/compat/replay.js';
import { deadLetterJobs } from '../../support/compat/stories.js';
import { sharedStack } from '../shared-stack.js';

// Clients of earlier releases stay in use for years. Their recorded requests and answers are in
// <version>/requests.jsonl; `npm run record` creates it.

describe.each(recordedReleases())('a client of $version', ({ calls }) => {
  let differences: Difference[];
  beforeAll(async () => {
    const stack = await sharedStack();
    const sender = new JobSender(stack.run.redisUrl, 'default', pino({ level: 'silent' }));
    try {
      await sender.send('form-teams', deadLetterJobs);
    } finally {
      await sender.close();
    }
    differences = await replay(stack, calls);
  }, 240_000);

  it.each([...new Set(calls.map(({ call }) => call))].toSorted())(
    '%s has the same status, and every field with the same type',
    (call) => {
      expect(differences.filter((difference) => difference.call === call)).toEqual([]);
    },
  );
});
