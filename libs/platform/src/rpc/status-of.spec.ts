import { status } from '@grpc/grpc-js';
import { NotReplicated, RatingUnavailable, UnknownPool, Unsolvable } from '@muster/domain';
import { expect, it } from 'vitest';
import { RpcUnavailable } from './rpc.js';
import { rpcStatusOf } from './status-of.js';

const coded = (code: string): Error => Object.assign(new Error('secret'), { code });

it.each([
  ['Postgres refuses connections', coded('ECONNREFUSED')],
  ['Postgres shuts down', coded('57P01')],
  ['the database client has lost Postgres', coded('ConnectionClosed')],
  ['Postgres does not answer', new Error('Query read timeout')],
  ['a connection broke', new Error('Client has encountered a connection error and is not queryable')],
  ['a connection was closed', new Error('Client was closed and is not queryable')],
  ['Redis does not answer', new Error('Command timed out')],
  ['Redis is a replica', new Error("READONLY You can't write against a read only replica.")],
  ['too few replicas hold a write', new NotReplicated('Not held by a replica.')],
  ['a peer cannot answer', new RatingUnavailable('Ratings cannot be read.')],
  ['a peer does not answer', new RpcUnavailable('Deadline exceeded')],
])('is UNAVAILABLE if %s', (_, error) => {
  expect(rpcStatusOf(error).code).toBe(status.UNAVAILABLE);
});

it('tells a caller what it did wrong, and nothing of unexpected errors', () => {
  expect(rpcStatusOf(new UnknownPool('No pool.'))).toEqual({ code: status.NOT_FOUND, message: 'No pool.' });
  expect(rpcStatusOf(new Unsolvable('No.'))).toEqual({ code: status.INVALID_ARGUMENT, message: 'No.' });
  expect(rpcStatusOf(coded('22021'))).toEqual({
    code: status.INVALID_ARGUMENT,
    message: 'A text holds NUL, which no store can hold.',
  });
  const told = { code: status.UNKNOWN, message: 'The service failed; see its log.' };
  expect(rpcStatusOf(coded('23505'))).toEqual(told);
});
