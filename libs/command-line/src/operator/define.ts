import type { Command } from 'commander';
import { inkFor, type Ink } from '../terminal/ink.js';
import { asking, type Ask } from './connection.js';
import { operatorOptions, type OperatorOptions } from './options.js';
import { print } from './output.js';

/** What a command prints: with `--json` a value on one line, else lines for people. */
export interface Answer {
  readonly json: object;
  text(ink: Ink): readonly string[];
  readonly exitCode?: number;
}

/**
 * Returns a function that completes a command which asks Muster: its common options, its help, and what it does, which is
 * loaded when it runs. That is given the arguments and then the options.
 *
 * @param defaultDataDir the data directory of a local system
 */
export function operatorCommands(defaultDataDir: string) {
  return <Given extends readonly unknown[]>(
    command: Command,
    load: () => Promise<(ask: Ask, ...given: Given) => Promise<Answer>>,
    help = '',
  ): void => {
    operatorOptions(command, defaultDataDir)
      .addHelpText('after', help)
      .action(async (...given: Given) => {
        const options = command.opts<OperatorOptions>();
        const act = await load();
        const { json, text, exitCode } = await act(asking(options, process.env), ...given);
        print(options.json, json, () => text(inkFor(process.stdout, process.env)));
        if (exitCode !== undefined) process.exitCode = exitCode;
      });
  };
}

export type Define = ReturnType<typeof operatorCommands>;
