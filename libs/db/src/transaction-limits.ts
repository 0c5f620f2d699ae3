/** In milliseconds: long enough for a busy small machine, short enough that a stuck lock becomes an error that a retry mends. */
export const transactionLimits = { maxWait: 5_000, timeout: 15_000 };
