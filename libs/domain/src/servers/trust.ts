/**
 * Why a server is asked after others. Servers are told apart by what they did: whoever registers can say anything.
 *
 * - `none`: it has confirmed a session.
 * - `newcomer`: it asks for commands, and has not confirmed a session yet.
 * - `suspected`: the same, and another newcomer of its fleet is `silent`.
 * - `unheard`: it has not asked for commands, so it cannot create a session.
 * - `silent`: it left commands unanswered.
 */
export const doubts = { none: 0, newcomer: 1, suspected: 2, unheard: 3, silent: 4 } as const;
export type Doubt = (typeof doubts)[keyof typeof doubts];

/** A server that has confirmed a session is doubted after so many unanswered commands in a row, any other after one. */
export const missesOfProved = 3;

/** How long a server is `silent` after its last unanswered command, in milliseconds; twice as long for each further one, up to a day. */
export const silentAtFirstMs = 600_000;
export const silentAtMostMs = 86_400_000;
