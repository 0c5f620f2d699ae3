import type { MessageCode, Messages } from '@muster/domain';
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

/** The English text of a code, with parameters of any type. */
export interface Entry<Params> {
  /** See `parseTemplate`. */
  readonly text: string;
  readonly example: Params;
}

export type Catalogue<M> = { readonly [C in keyof M]: Entry<M[C]> };

/** The messages by what they are about. */
export const groups = [
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
] as const;

/** Every message in English. One without a final full stop is a part of others. */
export const catalogue: Catalogue<Messages> = {
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

export const messageCodes = Object.keys(catalogue) as MessageCode[];
