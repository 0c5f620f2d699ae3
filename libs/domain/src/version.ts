/** Set where a program is bundled. */
declare const MUSTER_VERSION: string | undefined;

/** The release of this program, as its health and its documentation say; `dev` where it runs from its sources. */
export const version = typeof MUSTER_VERSION === 'undefined' ? 'dev' : MUSTER_VERSION;
