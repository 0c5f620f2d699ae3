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

/** Every message by its code. One without a final full stop is a part of others. */
export type Catalogue = typeof waiting &
  typeof ticket &
  typeof queue &
  typeof match &
  typeof placement &
  typeof forming &
  typeof split &
  typeof backfill &
  typeof balance &
  typeof rating &
  typeof integrity;

export const catalogue: Catalogue = {
  ...waiting,
  ...ticket,
  ...queue,
  ...match,
  ...placement,
  ...forming,
  ...split,
  ...backfill,
  ...balance,
  ...rating,
  ...integrity,
};
