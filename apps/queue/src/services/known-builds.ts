import { BuildMissing, type Clock } from '@muster/domain';
import type { AllocatorClient, RegisteredBuilds } from './allocator.client.js';

/** The build of tickets without one, unless servers determine another. */
export const defaultBuild = 'dev';

/** Lifetime of a cached answer: for this long, a ticket may miss a build that has just come or gone. */
const freshMs = 1_000;

/** Most builds named in a refusal. */
const named = 10;

interface Answer {
  readonly at: number;
  readonly registered: Promise<RegisteredBuilds>;
}

const unknown: RegisteredBuilds = { builds: [], startsNone: false };

/** The builds of the registered servers, for tickets without one or with an old one. All requests within a second share one answer. */
export class KnownBuilds {
  private latest: Answer | null = null;

  constructor(
    /** null: no allocator is configured. */
    private readonly reader: Pick<AllocatorClient, 'builds'> | null,
    private readonly clock: Clock,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /**
   * The build of a ticket without one: that of the servers if all have the same. Without registered servers, or when the
   * allocator does not answer, it is `defaultBuild`: an allocator that is down blocks no ticket.
   *
   * @throws BuildMissing when servers of several builds are registered
   */
  async ofUnnamed(): Promise<string> {
    const { builds } = await this.registered();
    const [only = defaultBuild] = builds;
    if (builds.length <= 1) return only;
    const shown = builds.slice(0, named);
    const all = shown.join(', ') + (builds.length > named ? ' and more' : '');
    throw new BuildMissing(
      `Servers of several builds are registered (${all}), and only equal builds meet. The client must send its own \`build\`.`,
      { builds: shown },
    );
  }

  /**
   * The builds of servers that are newer than a ticket's, when no server has that one. Empty also when the allocator does
   * not answer, when there are more builds than are read, and when builds are not numbers with points, such as 1.10.2.
   */
  async newerThan(build: string): Promise<readonly string[]> {
    if (!numbered.test(build)) return [];
    const { builds } = await this.registered();
    if (builds.length > named || builds.includes(build)) return [];
    return builds.filter((other) => isNewer(other, build));
  }

  /** Whether a match of this build would find no server: none has it, newer ones exist, and none is started for matches. */
  async isObsolete(build: string): Promise<boolean> {
    const newer = await this.newerThan(build);
    return newer.length > 0 && (await this.registered()).startsNone;
  }

  private registered(): Promise<RegisteredBuilds> {
    const { reader, latest } = this;
    if (!reader) return Promise.resolve(unknown);
    const now = this.clock.now();
    // A clock that was set back must not keep an answer for ever.
    if (latest && now >= latest.at && now < latest.at + freshMs) return latest.registered;
    const registered = reader.builds(named + 1).catch((error: unknown) => {
      this.onFailure(error);
      return unknown;
    });
    this.latest = { at: now, registered };
    return registered;
  }
}

const numbered = /^v?\d+(\.\d+)*$/;
const byNumbers = new Intl.Collator('en', { numeric: true });

function isNewer(build: string, than: string): boolean {
  return numbered.test(build) && numbered.test(than) && byNumbers.compare(build, than) > 0;
}
