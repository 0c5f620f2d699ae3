import { inject } from 'vitest';
import { Stack } from '../support/stack.js';

/**
 * The system that the files of this folder share which neither kill nor slow down any of it. The queues are the default
 * ones, `brief` (1v1, tickets live for 1 s) and `pairs` (5v5, parties of two at most).
 *
 * Others use it at the same time: take builds, players, servers and rating pools of your own, and look for what is yours in
 * lists of everybody's.
 */
export const sharedStack = (): Promise<Stack> => Stack.at(inject('sharedStack'));
