// Writes src/generated/rpc.ts from proto/*.proto: where each service is, and its messages in TypeScript, as
// libs/platform/src/rpc.ts reads and sends them: absent numbers, texts and lists have their default, and an absent message is
// null or missing. A message that is neither a request nor a reply has the suffix `Message`.
import { loadSync } from '@grpc/proto-loader';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const scalars = {
  TYPE_BOOL: 'boolean',
  TYPE_DOUBLE: 'number',
  TYPE_INT32: 'number',
  TYPE_INT64: 'number',
  TYPE_STRING: 'string',
  TYPE_UINT32: 'number',
};
const named = (name) => (/(Request|Reply)$/.test(name) ? name : `${name}Message`);

function fieldOf(of, { name, label, type, typeName }) {
  const message = type === 'TYPE_MESSAGE';
  const one = message ? named(typeName.split('.').at(-1)) : scalars[type];
  if (one === undefined) throw new Error(`${of}.${name}: there is no type for ${type}`);
  if (label === 'LABEL_REPEATED') return `  ${name}: ${one}[];`;
  return message ? `  ${name}?: ${one} | null;` : `  ${name}: ${one};`;
}

const services = [];
const requests = [];
const messages = new Map();
for (const proto of readdirSync(at('proto')).toSorted()) {
  for (const [path, found] of Object.entries(loadSync(at(`proto/${proto}`), { keepCase: false }))) {
    const { type } = found;
    const name = path.split('.').at(-1);
    if (type === undefined) {
      for (const [call, { requestType }] of Object.entries(found))
        requests.push(`  '${name}.${call}': ${named(requestType.type.name)};`);
      const parts = `package: '${path.slice(0, -name.length - 1)}', service: '${name}', proto: '${proto}'`;
      services.push(`  ${proto.replace('.proto', '')}: { ${parts} },`);
      continue;
    }
    if (messages.has(named(name))) throw new Error(`two messages are called ${named(name)}`);
    const fields = type.field.map((field) => fieldOf(path, field));
    messages.set(named(name), `export interface ${named(name)} {\n${fields.join('\n')}\n}`);
  }
}

mkdirSync(at('src/generated'), { recursive: true });
writeFileSync(
  at('src/generated/rpc.ts'),
  `// Made by generate-rpc.mjs from proto/*.proto. Change those.

/** The gRPC services. */
export const rpc = {
${services.join('\n')}
} as const;

/** The request of each call. */
export interface RpcRequests {
${requests.join('\n')}
}

${[...messages.values()].join('\n\n')}
`,
);
