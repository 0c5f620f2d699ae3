import { afterAll } from 'vitest';
import { processorMsOf } from './processor-time.js';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of a test file and of the processes that it started and ended. */
    processorMs?: number;
  }
}

// Setup files run before each test file is imported. Their last hook runs after all hooks of the file.
const before = processorMsOf('self');

function noteTime(_: object, file: { meta: { processorMs?: number } }): void {
  file.meta.processorMs = processorMsOf('self') - before;
}

// Vitest reads from the source of a hook which fixtures it takes, and wants a pattern there; a bound function has no source.
afterAll(noteTime.bind(undefined));
