import { asking } from '@muster/command-line/operator/connection';
import { readRunFile } from '@muster/command-line/operator/run-file';
import { age } from '@muster/command-line/terminal/age';
import { counted } from '@muster/command-line/terminal/table';
import { settingFindings } from './settings.js';
import { databaseFindings, redisFindings } from './stores.js';
import { found, messageOf, type Finding, type Patient } from './finding.js';

const patienceMs = 4_000;
/** Keys that expire sooner are named. */
const soonMs = 14 * 86_400_000;

/** A service of the installation. */
type Service = Readonly<Record<'name' | 'url', string>>;

/** What it says of itself. */
interface Health {
  readonly version?: string;
  readonly checks?: Readonly<Record<string, string>>;
  readonly others?: Readonly<Record<string, string>>;
}

/** The services: each answers, is ready, and all are of this release. */
async function serviceFindings(patient: Patient): Promise<Finding[]> {
  const services = await servicesOf(patient).catch(() => null);
  const wrong = 'EDGE_UPSTREAMS is not of the form {"queue":["http://queue:7000"]}.';
  if (!services) return found(true, wrong, 'No edge starts with it.', 'Correct it here and for the edge.');
  const seen = await Promise.all(
    services.map(async (service) => ({ service, ...(await healthOf(service)) })),
  );
  const versions = new Set(seen.flatMap(({ version }) => version ?? []));
  // From its sources, this command has no release.
  const newest = [...versions].toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))[0];
  const release = patient.version === 'dev' ? newest : patient.version;
  const named = (version: string): string =>
    seen.flatMap((each) => (each.version === version ? [each.service.name] : [])).join(', ');
  return [
    ...seen.flatMap(({ findings }) => findings),
    ...[...versions].flatMap((version) =>
      found(
        version !== release,
        `${named(version)} runs release ${version}, not ${release}.`,
        'Releases that are far apart do not understand each other’s jobs.',
        'Finish the roll-out: docs/upgrades.md has its order and the supported distance.',
      ),
    ),
  ];
}

/** Those that were named, those of the edge's settings, else those that run on this machine. */
async function servicesOf({ service, env, dataDir }: Patient): Promise<Service[]> {
  const named = service.map((url) => ({ name: url, url }));
  const upstreams = env['EDGE_UPSTREAMS'];
  if (upstreams !== undefined) {
    const all = Object.entries(JSON.parse(upstreams) as Record<string, readonly string[]>);
    return [...named, ...all.flatMap(([name, urls]) => urls.map((url) => ({ name, url })))];
  }
  const replicas = (await readRunFile(dataDir)).get('replicas');
  const local = Array.isArray(replicas) ? replicas.filter(isReplica) : [];
  return [...named, ...local.map(({ name, httpPort }) => ({ name, url: `http://127.0.0.1:${httpPort}` }))];
}

const isReplica = (value: unknown): value is { readonly name: string; readonly httpPort: number } =>
  typeof value === 'object' && value !== null && 'name' in value && 'httpPort' in value;

async function healthOf({ name, url }: Service): Promise<{ version?: string; findings: Finding[] }> {
  try {
    const response = await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(patienceMs) });
    const { version, checks, others } = (await response.json()) as Health;
    const findings = Object.entries({ ...checks, ...others }).flatMap(([what, said]) =>
      found(
        !said.startsWith('ok'),
        `${name} at ${url} is ${response.ok ? 'impaired' : 'not ready'}: ${what}: ${said}.`,
        response.ok ? 'Some of its calls fail.' : 'It gets no calls until that is mended.',
        `Mend "${what}"; the log of ${name} says more.`,
      ),
    );
    return { ...(version === undefined ? {} : { version }), findings };
  } catch (error) {
    const wrong = `${name} at ${url} does not answer: ${messageOf(error)}.`;
    const why = 'Its calls are answered by other replicas, or by none.';
    return { findings: found(true, wrong, why, 'Start it, and see its log.') };
  }
}

/** What Muster says over its API: the key is accepted, no key ends soon, no job is stuck, no result is disputed. */
async function apiFindings({ dataDir, url, operatorKey, env }: Patient): Promise<Finding[]> {
  const ask = asking({ dataDir, ...(url && { url }), ...(operatorKey && { operatorKey }) }, env);
  let role: string;
  try {
    ({ role } = await ask((operator) => operator.whoAmI()));
  } catch (error) {
    return found(
      true,
      `${messageOf(error)}.`,
      'Operators cannot act, and neither can this command look further.',
      'Start the edge or the ingress, and give the key that the services have as OPERATOR_KEY.',
    );
  }
  const [{ queues }, { conflicts }, keys] = await Promise.all([
    ask((operator) => operator.jobQueues()),
    ask((operator) => operator.conflicts()),
    role === 'admin' ? ask((operator) => operator.keys()).then((list) => list.keys) : [],
  ]);
  const open = conflicts.filter(({ decision }) => !decision).length;
  return [
    ...queues.flatMap(({ jobQueue, dead }) =>
      found(
        dead > 0,
        `${counted(dead, 'job')} of ${jobQueue} failed for good.`,
        'What they were to do is not done.',
        `"muster jobs list ${jobQueue}" tells why; "muster jobs retry ${jobQueue} --all" tries them again.`,
      ),
    ),
    ...found(
      open > 0,
      `${counted(open, 'result')} contradict one that counted.`,
      'A server may be faulty or tampered with.',
      '"muster conflicts" lists them; "muster conflicts decide" settles one.',
    ),
    ...keys.flatMap(({ name, keyId, role: its, expiresAt, revokedAt }) => {
      const left = (expiresAt ?? Number.POSITIVE_INFINITY) - Date.now();
      return found(
        revokedAt === null && left > 0 && left < soonMs,
        `The key ${keyId} of ${name} expires in ${age(left)}.`,
        'Its holder is locked out then.',
        `"muster keys create ${name} --role ${its}" makes the next one; both are valid meanwhile.`,
      );
    }),
  ];
}

/** Looks at everything at once. */
export async function examine(patient: Patient): Promise<Finding[]> {
  const looks = [databaseFindings, redisFindings, serviceFindings, settingFindings, apiFindings];
  return (await Promise.all(looks.map((look) => look(patient)))).flat();
}
