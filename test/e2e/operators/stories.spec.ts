import { afterAll, describe } from 'vitest';
import { stopStoriesStack } from '../stories-stack.js';

afterAll(stopStoriesStack);

describe('commands', async () => void (await import('./commands.story.js')));
describe('maintenance', async () => void (await import('./maintenance.story.js')));
describe('statistics', async () => void (await import('./statistics.story.js')));
