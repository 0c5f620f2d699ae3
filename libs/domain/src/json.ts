/** JSON as stored in a database column or a ledger row. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
