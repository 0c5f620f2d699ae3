import { Command, CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { boosterCommand } from './booster/command.js';
import { caseCommand } from './cases/command.js';
import { dataCommands } from './player-data/command.js';

/** What a command says of its arguments, before it does anything. */
function refusalOf(define: (command: Command, dataDir: string) => void, args: readonly string[]): string {
  const command = new Command('muster');
  define(command, '/tmp');
  let said = '';
  for (const each of [command, ...command.commands])
    each.exitOverride().configureOutput({ writeErr: (text) => (said += text) });
  expect(() => command.parse([...args], { from: 'user' })).toThrow(CommanderError);
  return said;
}

describe('arguments of commands', () => {
  it('name the command that shows ids', () => {
    expect(refusalOf(boosterCommand, ['revoke', 'ladder', 'x'])).toMatch(
      /Give the id of a booster, such as bst_4fQ2c0de; "muster booster list POOL PLAYER" lists/,
    );
    for (const args of [
      ['show', 'x'],
      ['close', 'x', '--verdict', 'cleared'],
      ['list', '--after', 'x'],
    ])
      expect(refusalOf(caseCommand, args)).toMatch(
        /Give the id of a case, such as cas_4fb6a88a01; "muster case list" lists cases\./,
      );
  });

  it.each([[['requests']], [['hold', 'ann', '--reason', 'r']], [['release', 'ann']]])(
    'have no realm where all is in the database: %j',
    (args) => {
      expect(refusalOf(dataCommands, [...args, '--realm', 'other'])).toMatch(
        /requests and holds are in the database, for all realms\. Leave --realm out\./,
      );
    },
  );
});
