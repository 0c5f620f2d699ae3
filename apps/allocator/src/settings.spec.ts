import { describe, expect, it } from 'vitest';
import { scaleOutLimits } from './settings.js';

const hosting = { providers: new Map(), rules: [] };
const hook = 'http://127.0.0.1:1/start';

describe('when servers are requested', () => {
  it.each([
    ['the hook alone: its slots are on their way', { SCALE_OUT_URL: hook }, 30_000, 30_000],
    ['providers alone: they count what is on its way', { hosting }, 5_000, 0],
    ['providers and the hook: as seldom as the hook', { hosting, SCALE_OUT_URL: hook }, 30_000, 0],
    [
      'the hook with servers that start slowly',
      { SCALE_OUT_URL: hook, SCALE_OUT_SECONDS: 10, SCALE_OUT_START_SECONDS: 90 },
      10_000,
      90_000,
    ],
    ['providers and an interval', { hosting, SCALE_OUT_SECONDS: 7, SCALE_OUT_START_SECONDS: 90 }, 7_000, 0],
  ])('%s', (_, settings, everyMs, startMs) => {
    expect(scaleOutLimits(settings)).toMatchObject({ everyMs, startMs });
  });
});
