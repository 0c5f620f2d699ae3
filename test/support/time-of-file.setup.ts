import { afterAll } from 'vitest';
import { processorMsOf } from './processor-time.js';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of a test file and of its ended child processes. */
    processorMs?: number;
  }
}

// Setup files run before each test file is imported. Their last hook runs after all hooks of the file.
const before = processorMsOf('self');

function noteTime(_: object, file: { meta: { processorMs?: number } }): void {
  file.meta.processorMs = processorMsOf('self') - before;
}

// Vitest parses a hook's source for fixtures and requires a destructuring pattern; a bound function has no source.
afterAll(noteTime.bind(undefined));
