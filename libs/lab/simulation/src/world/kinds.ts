/** Kinds with a generator of their own. */
export const kinds = { arrivals: 1, group: 2, account: 3, match: 4, role: 5, history: 6 } as const;
