/** A process cannot start with its settings. The message says which setting, and what would be right. */
export class Misconfigured extends Error {
  override readonly name: string = 'Misconfigured';
}

/** The exit code of a process that cannot start with its settings (`EX_CONFIG` of sysexits.h): a restart would not help. */
export const misconfiguredExit = 78;
