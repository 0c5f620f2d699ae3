import { afterAll, describe } from 'vitest';
import { stopStoriesStack } from './stories-stack.js';

// Stories that need a system for themselves, because they kill its services or look at all of it, and take turns: a start costs
// more than most of them. Bad input comes first, for it expects to find nothing of others.
afterAll(stopStoriesStack);

describe('bad input', async () => void (await import('./bad-input.story.js')));
describe('erasure', async () => void (await import('./erasure.story.js')));
describe('ratings', async () => void (await import('./ratings.story.js')));
describe('seasons', async () => void (await import('./seasons.story.js')));
describe('integrity', async () => void (await import('./integrity.story.js')));
describe('placement from stats', async () => void (await import('./stats-placement.story.js')));
describe('leaderboards', async () => void (await import('./leaderboards.story.js')));
describe('recorded season', async () => void (await import('./recorded-season.story.js')));
describe('data requests', async () => void (await import('./data-requests.story.js')));
describe('live sessions', async () => void (await import('./live-session.story.js')));
describe('live balance by side', async () => void (await import('./live-aspects.story.js')));
describe('placement policies', async () => void (await import('./placement-policies.story.js')));
describe('the matcher', async () => void (await import('./matcher-owner.story.js')));
describe('calibration', async () => void (await import('./calibration.story.js')));
