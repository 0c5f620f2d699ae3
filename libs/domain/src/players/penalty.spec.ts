import { expect, it } from 'vitest';
import { message } from '../messages/index.js';
import { penaltyCounts } from './penalty.js';

it('a penalty counts while it is neither forgiven nor lifted', () => {
  const lifted = { at: 1, why: [message('penalty.match-void')] };
  expect(penaltyCounts({ forgivenAt: null })).toBe(true);
  expect(penaltyCounts({ forgivenAt: 1 })).toBe(false);
  expect(penaltyCounts({ forgivenAt: null, lifted })).toBe(false);
});
