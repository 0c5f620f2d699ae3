import { expect, it } from 'vitest';
import type { Rate } from '../../libs/platform/src/limits/bucket.js';
import { defaultRates, rateClasses } from '../../libs/platform/src/limits/limit-settings.js';
import { codeIn, tableAfter } from './pages.js';

const said = (rate: Rate | null | undefined): string =>
  rate
    ? `${rate.burst.toLocaleString('en')} + ${(rate.perMinute % 60 === 0 && rate.perMinute >= 300 ? rate.perMinute / 60 : rate.perMinute).toLocaleString('en')}${rate.perMinute % 60 === 0 && rate.perMinute >= 300 ? '/s' : '/min'}`
    : '';

it('docs/limits.md has the limits that are in force by default', () => {
  const rows = tableAfter('docs/limits.md', '<!-- table: rate limits -->').map(
    ([name = '', _calls, ...limits]) => [codeIn(name)[0], ...limits.map((limit) => limit.trim())],
  );
  const there = rateClasses.map((name) => {
    const { player, address, server, key } = defaultRates[name];
    return [name, said(player), said(address), said(server), said(key)];
  });
  expect(rows).toEqual(there);
});
