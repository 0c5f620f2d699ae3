import type { MessageCode, Messages } from '@muster/domain';
import { backfill } from './backfill.js';
import { balance } from './balance.js';
import { forming } from './forming.js';
import { match } from './match.js';
import { queue } from './queue.js';
import { rating } from './rating.js';
import { split } from './split.js';
import { ticket } from './ticket.js';
import { waiting } from './waiting.js';

/** What a code means in English, with parameters as they may be. */
export interface Entry<Params> {
  /** See `parseTemplate`. */
  readonly text: string;
  readonly example: Params;
}

export type Catalogue<M> = { readonly [C in keyof M]: Entry<M[C]> };

/** Every message in English. One that ends without a full stop is a part of others. */
export const catalogue: Catalogue<Messages> = {
  ...waiting,
  ...ticket,
  ...queue,
  ...match,
  ...forming,
  ...split,
  ...backfill,
  ...balance,
  ...rating,
};

export const messageCodes = Object.keys(catalogue) as MessageCode[];
