import { expect, it } from 'vitest';
import { backfill } from './backfill.js';
import { balance } from './balance.js';
import { forming } from './forming.js';
import { integrity } from './integrity.js';
import { match } from './match.js';
import { placement } from './placement.js';
import { queue } from './queue.js';
import { rating } from './rating.js';
import { split } from './split.js';
import { ticket } from './ticket.js';
import { waiting } from './waiting.js';

it('has each code in one group alone: a second entry would replace the words of the first', () => {
  const groups = [
    waiting,
    ticket,
    queue,
    match,
    placement,
    forming,
    split,
    backfill,
    balance,
    rating,
    integrity,
  ];
  const codes: string[] = groups.flatMap((group) => Object.keys(group));
  expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual([]);
});
