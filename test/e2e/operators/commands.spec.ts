import { afterAll, describe } from 'vitest';
import { stopStoriesStack } from '../stories-stack.js';

afterAll(stopStoriesStack);

describe('commands', async () => void (await import('./commands.story.js')));
