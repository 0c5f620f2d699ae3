import type { BalanceTerms } from '@muster/domain';

/** How a server keeps a running match fair. Ranked matches that the coordinator formed are moved in only where it asks (L17). */
export interface Policy extends BalanceTerms {
  readonly name: string;
}
