import { Misconfigured, misconfiguredExit, own } from '@muster/domain';
import type { z } from 'zod';

/**
 * Reads settings from the environment. An empty variable counts as unset: templates pass on what nobody has set.
 *
 * @throws Misconfigured with one line per missing or invalid setting
 */
export function readSettings<T>(schema: z.ZodType<T>, env: NodeJS.ProcessEnv): T {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const read = parsed(schema, given);
  if (read.success) return read.data;
  const lines = read.error.issues.map(({ path, message }) => {
    const name = path.join('.');
    const value = own(env, name);
    return `  ${name}: ${value === undefined ? 'is not set' : value === '' ? 'is empty, and must be set' : message}`;
  });
  throw new Misconfigured(`Settings in the environment are missing or invalid:\n${lines.join('\n')}`);
}

/** A file that settings name, and that cannot be used, throws instead of making an issue. */
function parsed<T>(schema: z.ZodType<T>, given: unknown): z.ZodSafeParseResult<T> {
  try {
    return schema.safeParse(given);
  } catch (error) {
    throw new Misconfigured(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The exit code of a process that an error ends. */
export function exitCodeOf(error: unknown): number {
  return error instanceof Misconfigured ? misconfiguredExit : 1;
}
