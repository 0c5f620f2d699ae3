import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
/** The options of the command line. */
export type Settings<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values'];

/** Runs a benchmark with its options, or prints its help. */
export async function command<const O extends Options & { help: { type: 'boolean' } }>(
  help: string,
  options: O,
  run: (settings: Settings<O>) => Promise<void>,
): Promise<void> {
  let values: Settings<O>;
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
  }
  if ('help' in values && values.help === true) process.stdout.write(help);
  else await run(values);
}

/** Prints an error for invalid options. */
export function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
