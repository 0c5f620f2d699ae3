/** JSON, as a database column or a ledger row holds it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
