import { BuildMissing, type Clock } from '@muster/domain';

/** The build of tickets that name none, while no server says otherwise. */
export const defaultBuild = 'dev';

/** For how long an answer is good: so long a ticket may not know of a build that has just come or gone. */
const freshMs = 1_000;

/** How many builds a refusal names at most. */
const named = 10;

/** Where the builds are asked. */
export interface BuildReader {
  /** The builds of the servers that are registered, each once. @throws whatever kept it from an answer */
  builds(limit: number): Promise<readonly string[]>;
}

interface Answer {
  readonly at: number;
  readonly builds: Promise<readonly string[]>;
}

/** The builds of the servers that are registered, as tickets need them that name none. All who ask within a second share one answer. */
export class KnownBuilds {
  private latest: Answer | null = null;

  constructor(
    /** null: the allocator cannot be asked here. */
    private readonly reader: BuildReader | null,
    private readonly clock: Clock,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /**
   * The build of a ticket that names none: that of the servers when they all have the same. When none is registered, or the
   * allocator does not answer, it is `defaultBuild`: an allocator that is away keeps nobody out of a queue.
   *
   * @throws BuildMissing when servers of several builds are registered
   */
  async ofUnnamed(): Promise<string> {
    const builds = await this.registered();
    const [only = defaultBuild] = builds;
    if (builds.length <= 1) return only;
    const shown = builds.slice(0, named);
    const all = shown.join(', ') + (builds.length > named ? ' and more' : '');
    throw new BuildMissing(
      `Servers of several builds are registered (${all}), and only equal builds meet. The client must send its own \`build\`.`,
      { builds: shown },
    );
  }

  private registered(): Promise<readonly string[]> {
    const { reader, latest } = this;
    if (!reader) return Promise.resolve([]);
    const now = this.clock.now();
    // A clock that was set back must not keep an answer for ever.
    if (latest && now >= latest.at && now < latest.at + freshMs) return latest.builds;
    const builds = reader.builds(named + 1).catch((error: unknown) => {
      this.onFailure(error);
      return [];
    });
    this.latest = { at: now, builds };
    return builds;
  }
}
