import { TooBusy, TooManyOpen } from '@muster/domain';
import type { FastifyRequest } from 'fastify';
import type { CallerAddresses } from '../limits/caller-address.js';

/** The maximum number of calls held open at one process. */
export interface OpenCallLimits {
  readonly perCaller: number;
  readonly perAddress: number;
  readonly perProcess: number;
}

/**
 * A call that is open for less than this does not give way, in milliseconds. It bounds how often callers above their
 * limit replace each other.
 */
const settledMs = 5_000;

/** Why a call ends: its caller has opened another one above the limit. */
export class GaveWay extends Error {}

interface OpenCall {
  readonly caller: string | null;
  /** Counted of players alone: the servers of one place share an address. */
  readonly address: string | null;
  readonly since: number;
  readonly leave: (why?: GaveWay) => void;
}

/**
 * Counts open event streams and long polls. Each holds a socket and memory for as long as the caller likes, so the
 * number is limited per caller, per address and per process. At a caller's limit the oldest call gives way: a client that vanished
 * without closing its connections is noticed only when TCP gives up, after a quarter of an hour.
 */
export class OpenCalls {
  private readonly open = new Set<OpenCall>();
  /** Of each caller, oldest first. */
  private readonly byCaller = new Map<string, Set<OpenCall>>();
  private readonly byAddress = new Map<string, number>();
  private isEnding = false;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly limits: OpenCallLimits,
    private readonly addresses: Pick<CallerAddresses, 'of'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The number of open calls. */
  get count(): number {
    return this.open.size;
  }

  /**
   * Holds a call open until `wait` settles.
   *
   * @param caller the caller whose limit applies, such as `player alice`; null for operators, who have no limit
   * @param wait receives a signal that aborts when the caller hangs up, the process shuts down, or (with the reason
   *   {@link GaveWay}) a newer call takes its place
   * @throws TooManyOpen at the caller's limit if all its calls are new, TooBusy at the process's limit
   */
  async hold<T>(
    caller: string | null,
    request: FastifyRequest,
    wait: (left: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { socket } = request.raw;
    const left = new AbortController();
    const address = caller?.startsWith('player ') ? this.addresses.of(request) : null;
    const call: OpenCall = { caller, address, since: this.now(), leave: (why) => left.abort(why) };
    this.add(call);
    const leave = (): void => left.abort();
    socket.once('close', leave);
    if (socket.destroyed || this.isEnding) leave();
    try {
      return await wait(left.signal);
    } finally {
      // A socket serves many successive calls: the listener must not outlive this one.
      socket.off('close', leave);
      this.remove(call);
    }
  }

  /** The process shuts down: waiting calls, and later ones, are answered immediately with what is available. */
  endAll(): void {
    this.isEnding = true;
    for (const call of this.open) call.leave();
  }

  private add(call: OpenCall): void {
    const { caller, address } = call;
    const { perCaller, perAddress, perProcess } = this.limits;
    const held = caller === null ? 0 : (this.byCaller.get(caller)?.size ?? 0);
    const ofAddress = address === null ? 0 : (this.byAddress.get(address) ?? 0);
    if (caller !== null && held >= perCaller) this.makeRoom(caller);
    else if (ofAddress >= perAddress)
      throw new TooManyOpen(
        `Your address has ${ofAddress} open streams and long polls; the limit is ${perAddress}. Close one before you open another.`,
        { open: ofAddress, limit: perAddress },
      );
    else if (this.open.size >= perProcess)
      throw new TooBusy(
        'This process has reached its limit of open streams and long polls. Try again later.',
      );
    this.open.add(call);
    if (address !== null) this.byAddress.set(address, (this.byAddress.get(address) ?? 0) + 1);
    if (caller === null) return;
    const own = this.byCaller.get(caller) ?? new Set();
    this.byCaller.set(caller, own.add(call));
  }

  /** Ends the oldest call of a caller. @throws TooManyOpen if it is new */
  private makeRoom(caller: string): void {
    const own = this.byCaller.get(caller) ?? new Set();
    const [oldest] = own;
    if (!oldest) return;
    const leftMs = oldest.since + settledMs - this.now();
    if (leftMs > 0)
      throw new TooManyOpen(
        `You have ${own.size} open streams and long polls; the limit is ${this.limits.perCaller}. Close one before you open another. One that is open for ${settledMs / 1_000} s gives way.`,
        { open: own.size, limit: this.limits.perCaller, retryAfterSeconds: Math.ceil(leftMs / 1_000) },
      );
    this.remove(oldest);
    oldest.leave(new GaveWay());
  }

  private remove(call: OpenCall): void {
    if (!this.open.delete(call)) return;
    if (call.address !== null) {
      const others = (this.byAddress.get(call.address) ?? 1) - 1;
      if (others === 0) this.byAddress.delete(call.address);
      else this.byAddress.set(call.address, others);
    }
    if (call.caller === null) return;
    const own = this.byCaller.get(call.caller);
    own?.delete(call);
    if (own?.size === 0) this.byCaller.delete(call.caller);
  }
}
