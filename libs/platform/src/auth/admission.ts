import type { EndpointName } from '@muster/contracts';

/**
 * Refuses calls of a busy service before it authenticates and validates them: under overload most calls are refused, and if a
 * refusal cost as much as the call, nothing would be left for the calls that are taken.
 */
export class Admission {
  private readonly checks = new Map<EndpointName, () => void>();

  /** @param check throws what callers of the endpoint get, while it is too busy */
  before(endpoint: EndpointName, check: () => void): void {
    this.checks.set(endpoint, check);
  }

  /** @throws what the endpoint's check throws */
  check(endpoint: EndpointName): void {
    this.checks.get(endpoint)?.();
  }
}
