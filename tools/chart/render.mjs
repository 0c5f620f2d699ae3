import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const chart = join(import.meta.dirname, '../../docker/helm/muster');

/** Runs Helm on the chart. */
export function runHelm(helm, args) {
  const { status, stdout, stderr } = spawnSync(helm, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return { ok: status === 0, stdout, stderr };
}

/**
 * Renders the chart as a release `muster` in the namespace `games`.
 *
 * @returns the text and its objects
 * @throws Error with Helm's message
 */
export function render(helm, args) {
  const { ok, stdout, stderr } = runHelm(helm, [
    'template',
    'muster',
    chart,
    '--namespace',
    'games',
    ...args,
  ]);
  if (!ok) throw new Error(stderr.trim());
  return { text: stdout, objects: objectsIn(stdout) };
}

export function objectsIn(text) {
  return parseAllDocuments(text).flatMap((document) => {
    // A key that is there twice is an error here, where Helm would take the last.
    if (document.errors.length > 0) throw document.errors[0];
    const object = document.toJS();
    return object === null ? [] : [object];
  });
}

export const idOf = ({ kind, metadata }) => `${kind} ${metadata.name}`;
export const ofKind = (objects, kind) => objects.filter((object) => object.kind === kind);

/** Deployments and the migration's job, with their pod. */
export function workloadsIn(objects) {
  return objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map((object) => {
      const { metadata, spec } = object.spec.template;
      const [container] = spec.containers;
      return {
        id: idOf(object),
        component: metadata.labels['app.kubernetes.io/component'],
        labels: metadata.labels,
        spec,
        container,
        ports: new Map((container.ports ?? []).map(({ name, containerPort }) => [name, containerPort])),
        env: new Map(container.env.map((entry) => [entry.name, entry])),
        object,
      };
    });
}

/** Whether a label selector selects these labels. */
export function selects({ matchLabels = {}, matchExpressions = [] }, labels) {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => operator === 'In' && values.includes(labels[key]))
  );
}
