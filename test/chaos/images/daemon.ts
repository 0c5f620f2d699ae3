import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { attempt, run, type Ended, type RunOptions } from './commands.js';

const patienceMs = 60_000;
/** Debian's, where another one stands before it on the PATH. */
const docker = existsSync('/usr/bin/docker') ? '/usr/bin/docker' : 'docker';

const Inspected = z.array(
  z.object({
    Id: z.string(),
    Name: z.string(),
    State: z.object({
      Status: z.string(),
      Pid: z.number(),
      ExitCode: z.number(),
      Health: z.object({ Status: z.string() }).optional(),
    }),
    RestartCount: z.number(),
    HostConfig: z.object({ ReadonlyRootfs: z.boolean(), PortBindings: z.unknown() }),
    Config: z.object({ Labels: z.record(z.string(), z.string()) }),
    NetworkSettings: z.object({
      Ports: z.record(z.string(), z.array(z.object({ HostIp: z.string(), HostPort: z.string() })).nullable()),
      Networks: z.record(z.string(), z.object({ IPAddress: z.string() })),
    }),
  }),
);
export type Container = z.infer<typeof Inspected>[number];

/** A Docker daemon of its own, in this process' namespaces. */
export class Daemon {
  private constructor(
    readonly folder: string,
    private readonly process: ChildProcess,
    private readonly socket: string,
  ) {}

  /**
   * @param group the control group of its containers
   * @param runtime `runc`, or `crun` where runc does not fit the machine's control groups
   * @throws Error with the end of its log if it does not start
   */
  static async start(folder: string, group: string, runtime: 'runc' | 'crun'): Promise<Daemon> {
    const socket = join(folder, 'docker.sock');
    const log = join(folder, 'dockerd.log');
    const out = openSync(log, 'a');
    const folders = ['--data-root', join(folder, 'docker'), '--exec-root', join(folder, 'exec')];
    const control = ['--pidfile', join(folder, `dockerd-${runtime}.pid`), '-H', `unix://${socket}`];
    const groups = ['--exec-opt', 'native.cgroupdriver=cgroupfs', '--cgroup-parent', group];
    const runtimes = ['--add-runtime', 'crun=/usr/bin/crun', '--default-runtime', runtime];
    const child = spawn('dockerd', [...folders, ...control, ...groups, ...runtimes], {
      stdio: ['ignore', out, out],
    });
    closeSync(out);
    const daemon = new Daemon(folder, child, socket);
    if (await daemon.answers()) return daemon;
    await daemon.stop();
    throw new Error(`dockerd did not start:\n${readFileSync(log, 'utf8').slice(-3_000)}`);
  }

  private async answers(): Promise<boolean> {
    for (let waited = 0; waited < patienceMs && this.process.exitCode === null; waited += 250) {
      if ((await this.attempt(['version'])).code === 0) return true;
      await pause(250);
    }
    return false;
  }

  private get env(): Record<string, string> {
    // The user's own configuration, such as registries and their tokens, is no part of the test.
    return { DOCKER_HOST: `unix://${this.socket}`, DOCKER_CONFIG: this.folder, DOCKER_BUILDKIT: '0' };
  }

  attempt(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    return attempt(docker, args, { ...options, env: { ...this.env, ...options.env } });
  }

  run(args: readonly string[], options: RunOptions = {}): Promise<string> {
    return run(docker, args, { ...options, env: { ...this.env, ...options.env } });
  }

  compose(args: readonly string[], options: RunOptions = {}): Promise<string> {
    return run('docker-compose', args, {
      ...options,
      env: { ...this.env, COMPOSE_HTTP_TIMEOUT: '300', ...options.env },
    });
  }

  /** Containers by a label of Compose, also those that have ended. */
  async containers(project: string, service?: string): Promise<Container[]> {
    const filters = [`project=${project}`, ...(service ? [`service=${service}`] : [])];
    const wanted = filters.flatMap((one) => ['--filter', `label=com.docker.compose.${one}`]);
    const ids = await this.run(['ps', '-aq', '--no-trunc', ...wanted]);
    const all = ids.split('\n').filter((id) => id !== '');
    return all.length === 0 ? [] : this.inspect(all);
  }

  async inspect(ids: readonly string[]): Promise<Container[]> {
    return Inspected.parse(JSON.parse(await this.run(['container', 'inspect', ...ids])));
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null) return;
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGTERM');
    await Promise.race([ended, pause(30_000)]);
    if (this.process.exitCode === null) this.process.kill('SIGKILL');
  }
}
