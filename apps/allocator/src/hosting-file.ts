import { BuildName, RegionName } from '@muster/contracts';
import type { HostingRule } from '@muster/domain';
import { readYaml, textOrFile } from '@muster/platform';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';

const Name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must hold only small letters, digits and - (32 at most)')
  .refine((name) => name !== 'direct', 'is reserved for servers that register by themselves');

/** Limits that every provider has. */
const limits = {
  slots: z.number().int().min(1).max(1_000).default(1),
  maxPending: z.number().int().min(1).max(10_000).default(20),
  claimSeconds: z.number().int().min(1).max(86_400).default(120),
  timeoutMs: z.number().int().min(100).max(60_000).default(5_000),
  concurrency: z.number().int().min(1).max(100).default(8),
};

const LabelName = z
  .string()
  .regex(
    /^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/,
    'must be the name of a Kubernetes label, such as agones.dev/fleet',
  );
const LabelValue = z
  .string()
  .regex(
    /^(\{build\}|\{region\}|[A-Za-z0-9._-]){1,200}$/,
    'must be the value of a Kubernetes label; {build} and {region} stand for those that are asked for',
  );
const Labels = z.record(LabelName, LabelValue);

const Agones = z
  .strictObject({
    kind: z.literal('agones'),
    ...limits,
    /** `host:port` for gRPC. */
    grpc: z
      .string()
      .regex(/^[A-Za-z0-9.[\]:-]+:\d{1,5}$/, 'must be host:port')
      .optional(),
    /** The origin for REST. */
    rest: z.url({ protocol: /^https$/, error: 'must be an address that begins with https://' }).optional(),
    namespace: z.string().min(1).max(63).default('default'),
    labels: Labels.refine((labels) => Object.keys(labels).length > 0, 'must name at least one label'),
    preferred: z.array(Labels).max(8).default([]),
    scheduling: z.enum(['Packed', 'Distributed']).default('Packed'),
    portName: z.string().min(1).max(63).optional(),
    ca: textOrFile.optional(),
    cert: textOrFile,
    key: textOrFile,
    serverName: z.string().min(1).max(253).optional(),
  })
  .refine(({ grpc, rest }) => (grpc === undefined) !== (rest === undefined), {
    message: 'must name either grpc or rest',
  });

const Webhook = z
  .strictObject({
    kind: z.literal('webhook'),
    ...limits,
    url: z.url({ protocol: /^https?$/, error: 'must be an address that begins with https://' }),
    token: textOrFile.optional(),
    secret: textOrFile.optional(),
    list: z.boolean().default(false),
  })
  .refine(({ token, secret }) => token !== undefined || secret !== undefined, {
    message: 'must have a secret that signs requests, or a token',
  });

const Static = z.strictObject({
  kind: z.literal('static'),
  maxPending: limits.maxPending,
  claimSeconds: limits.claimSeconds,
  /** The fleet file, relative to this one. */
  file: z.string().min(1),
});

const Provider = z.discriminatedUnion('kind', [Agones, Webhook, Static], {
  error: 'must be of the kind agones, webhook or static',
});

const Rule = z.strictObject({
  builds: z.array(BuildName).min(1).max(1_000).optional(),
  regions: z.array(RegionName).min(1).max(100).optional(),
  provider: z.string(),
});

const HostingDocument = z
  .strictObject({
    providers: z.record(Name, Provider),
    rules: z.array(Rule).min(1, 'must have at least one rule').max(1_000),
  })
  .superRefine(({ providers, rules }, context) => {
    const names = new Set([...Object.keys(providers), 'direct']);
    for (const [i, { provider }] of rules.entries())
      if (!names.has(provider))
        context.addIssue({
          code: 'custom',
          path: ['rules', i, 'provider'],
          message: `names no provider: there are ${[...names].join(', ')}`,
        });
  });

const Port = z.number().int().min(1).max(65_535);
const Machine = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,50}$/, 'must hold only letters, digits and _ . - (51 at most)'),
  address: z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9.:[\]-]+$/, 'must be a host name or an address'),
  ports: z.array(Port).min(1).max(1_000),
  build: BuildName,
  region: RegionName,
  slots: z.number().int().min(1).max(1_000).default(1),
});

const FleetDocument = z
  .strictObject({ servers: z.array(Machine).max(10_000) })
  .superRefine(({ servers }, context) => {
    const known = new Map<string, number>();
    for (const [i, { name, ports }] of servers.entries())
      for (const [j, port] of ports.entries()) {
        const before = known.get(`${name}-${port}`);
        if (before !== undefined)
          context.addIssue({
            code: 'custom',
            path: ['servers', i, 'ports', j],
            message: `is that of servers[${before}] too: a server is known by its name and port`,
          });
        known.set(`${name}-${port}`, i);
      }
  });

type Limits = { [K in keyof typeof limits]: number };
export type AgonesSettings = z.infer<typeof Agones>;
export type WebhookProviderSettings = z.infer<typeof Webhook>;
/** A server of a fleet file. */
export interface ListedServer {
  readonly serverId: string;
  readonly host: string;
  readonly port: number;
  readonly build: string;
  readonly region: string;
  readonly slots: number;
}
interface StaticSettings extends Limits {
  readonly kind: 'static';
  readonly servers: readonly ListedServer[];
}

type ProviderSettings = AgonesSettings | WebhookProviderSettings | StaticSettings;

/** The providers of servers, by name, and the rules that choose among them. */
export interface HostingSettings {
  readonly providers: ReadonlyMap<string, ProviderSettings>;
  readonly rules: readonly HostingRule[];
}

/**
 * Reads HOSTING_FILE and the fleet files that it names, as YAML or JSON.
 *
 * @throws Error with one line per flaw: its file, line, column and path
 */
export function readHosting(file: string): HostingSettings {
  const { providers, rules } = readDocument('HOSTING_FILE', file, HostingDocument);
  const read = Object.entries(providers).map(([name, provider]): [string, ProviderSettings] => {
    if (provider.kind !== 'static') return [name, provider];
    const { servers } = readDocument('The fleet file', resolve(dirname(file), provider.file), FleetDocument);
    const { maxPending, claimSeconds } = provider;
    const settings: StaticSettings = {
      kind: 'static',
      maxPending,
      claimSeconds,
      slots: Math.max(1, Math.min(...servers.map(({ slots }) => slots))),
      timeoutMs: 5_000,
      concurrency: 1,
      servers: servers.flatMap(({ name: machine, address, ports, build, region, slots }) =>
        ports.map((port) => ({ serverId: `${machine}-${port}`, host: address, port, build, region, slots })),
      ),
    };
    return [name, settings];
  });
  return { providers: new Map(read), rules };
}

function readDocument<T>(what: string, file: string, schema: z.ZodType<T>): T {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${what} cannot be read: ${why}`, { cause: error });
  }
  const read = readYaml(text, schema);
  if (read.ok) return read.value;
  throw new Error(`${what} makes no sense:\n${read.flaws.map((flaw) => `  ${file}:${flaw}`).join('\n')}`);
}
