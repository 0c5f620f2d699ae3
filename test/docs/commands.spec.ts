import type { Command } from 'commander';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { newProgram } from '../../apps/cli/src/program.js';
import { readPage } from './pages.js';

const page = 'docs/commands.md';
const [begin, end] = ['<!-- commands: made from the code -->', '<!-- end of commands -->'] as const;

/** Commands that a user may call, without those of commander itself. */
const listed = (command: Command): Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help');

const helpOf = (command: Command): string => {
  let text = '';
  command.configureOutput({ writeOut: (more) => (text += more) }).outputHelp();
  return text;
};

describe('docs/commands.md', () => {
  it('lists every command (vitest -u regenerates it)', async () => {
    const rows = listed(await newProgram(['help'])).map((command) => {
      const parts = listed(command).map((each) => `\`${each.name()}\``);
      return `| \`muster ${command.name()}\` | ${command.description()} | ${parts.join(', ')} |`;
    });
    const [before = '', rest = ''] = readPage(page).split(begin);
    const [, after = ''] = rest.split(end);
    const table = ['| command | purpose | its commands |', '| --- | --- | --- |', ...rows].join('\n');
    const config = await resolveConfig(page);
    const made = await format(`${before}${begin}\n\n${table}\n\n${end}${after}`, {
      ...config,
      parser: 'markdown',
    });
    await expect(made).toMatchFileSnapshot(`../../${page}`);
  });
});

describe('every command', () => {
  it('has a description, and help with an example', async () => {
    const leaves = (command: Command): Command[] => {
      const below = listed(command);
      return below.length === 0 ? [command] : below.flatMap(leaves);
    };
    const silent = leaves(await newProgram(['help'])).filter(
      (command) => command.description() === '' || !/Examples?:/.test(helpOf(command)),
    );
    expect(silent.map((command) => `${command.parent?.name()} ${command.name()}`)).toEqual([]);
  });
});
