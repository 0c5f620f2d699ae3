import { describe, expect, it } from 'vitest';
import { newProgram } from '../program.js';
import { candidates } from './command.js';

const complete = async (...words: string[]): Promise<string[]> =>
  candidates(await newProgram(['complete', ...words]), words);

describe('completion', () => {
  it('knows commands and their commands', async () => {
    expect(await complete('ti')).toEqual(['tickets']);
    expect(await complete('tickets', '')).toEqual(['list', 'show', 'cancel']);
    expect(await complete('nothing', 'like', '')).toEqual([]);
  });

  it('knows options that are not given yet, also of what a group does by itself', async () => {
    expect(await complete('tickets', 'list', '--st')).toEqual(['--state']);
    expect(await complete('tickets', '--st')).toEqual(['--state']);
    expect(await complete('tickets', 'list', '--state', 'waiting', '--st')).toEqual([]);
  });

  it('knows the values of choices', async () => {
    expect(await complete('tickets', 'list', '--state', 'wait')).toEqual(['waiting']);
    expect(await complete('jobs', 'list', 'form')).toEqual(['form-teams']);
    expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });
});
