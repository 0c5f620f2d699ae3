// What the chart is compared with: settings, health endpoints and figures, from the sources.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { resolveSources } from '../bundle.mjs';

const checkout = join(import.meta.dirname, '../..');

const entry = `
import 'reflect-metadata';
export { queueSettings as queue } from './apps/queue/src/settings.ts';
export { assignmentSettings as assignment } from './apps/assignment/src/settings.ts';
export { allocatorSettings as allocator } from './apps/allocator/src/settings.ts';
export { ratingSettings as rating } from './apps/rating/src/settings.ts';
export { edgeSettings as edge } from './apps/edge/src/settings.ts';
export { addHealth } from './apps/edge/src/origin.ts';
export { HealthController } from './libs/platform/src/service/readiness.ts';
export { MetricsController } from './libs/platform/src/metrics/metrics.controller.ts';
export { figures } from './libs/contracts/src/metrics/figures.ts';
export { jobQueues } from './libs/contracts/src/job-queues.ts';
`;

/** Bundles and loads the sources. */
export async function loadSources() {
  // Inside the checkout, so that its modules are found.
  const folder = join(import.meta.dirname, 'generated');
  mkdirSync(folder, { recursive: true });
  const input = join(folder, 'entry.ts');
  writeFileSync(input, entry.replaceAll("'./", "'../../../"));
  const made = await rolldown({
    input,
    platform: 'node',
    // They look for files beside themselves.
    external: [/^@grpc\//, /^@fastify\//, 'piscina'],
    resolve: resolveSources,
    tsconfig: false,
    onLog(level, log, print) {
      // Nest tries to load what need not be installed.
      if (log.code !== 'UNRESOLVED_IMPORT') print(level, log);
    },
    transform: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  });
  const file = join(folder, 'sources.mjs');
  await made.write({ file, codeSplitting: false });
  await made.close();
  return import(pathToFileURL(file).href);
}

/** The names of a service's settings. */
export function namesOf(schema) {
  const shape = schema.shape ?? schema.in?.shape;
  if (!shape) throw new Error('The schema of the settings has no shape any more.');
  return new Set(Object.keys(shape));
}

/** Paths of Nest controllers. */
export function pathsOf(...controllers) {
  return controllers.flatMap((controller) =>
    Object.getOwnPropertyNames(controller.prototype)
      .filter((name) => name !== 'constructor' && Reflect.hasMetadata('path', controller.prototype[name]))
      .map((name) => {
        const parts = [
          Reflect.getMetadata('path', controller),
          Reflect.getMetadata('path', controller.prototype[name]),
        ];
        return `/${parts.filter((part) => part !== '/').join('/')}`;
      }),
  );
}

/** Paths of the edge's health endpoints. */
export function edgePathsOf(addHealth) {
  const paths = [];
  addHealth(
    { get: (path) => paths.push(path) },
    () => false,
    () => ({ answers: true, says: '' }),
  );
  return paths;
}

export const versionOfMuster = () => JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')).version;
