import { describe, expect, it } from 'vitest';
import { newProgram } from '../../apps/cli/src/program.js';
import { codeIn, tableAfter } from './pages.js';

const questions = tableAfter('docs/night.md', '# Questions');

describe('docs/night.md', () => {
  it('answers each question with one command', () => {
    expect(questions.length).toBeGreaterThanOrEqual(20);
    expect(questions.map(([, command = '']) => codeIn(command).length)).toEqual(questions.map(() => 1));
  });

  it.each(questions)('%s %s', async (_question, cell = '') => {
    const [, ...words] = (codeIn(cell)[0] ?? '').split(' ');
    let command = await newProgram(words);
    let depth = 0;
    for (const word of words) {
      const next = command.commands.find((each) => each.name() === word);
      if (!next) break;
      command = next;
      depth++;
    }
    // A group alone is no command, and an option must be one of the command.
    expect([depth > 0, command.commands.length]).toEqual([true, 0]);
    const options = words.filter((word) => word.startsWith('--'));
    expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(options));
    const given = words
      .slice(depth)
      .filter((word, i, all) => !word.startsWith('--') && !all[i - 1]?.startsWith('--'));
    const needed = command.registeredArguments.filter(({ required }) => required).length;
    expect(given.length).toBeGreaterThanOrEqual(needed);
    expect(given.length).toBeLessThanOrEqual(command.registeredArguments.length);
  });
});
