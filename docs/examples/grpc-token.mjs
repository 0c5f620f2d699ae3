// Prints the token of a program that reads over gRPC: node docs/examples/grpc-token.mjs NAME
// COORDINATOR_KEY is that of the services. The program needs the token alone, which reads and changes nothing.
import { createHmac } from 'node:crypto';

const [, , name = ''] = process.argv;
if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
  throw new Error('Give a name of small letters, digits and - (40 at most).');
// Of two keys, as during a rotation, the first.
const [first] = process.env.COORDINATOR_KEY.trim().split(/(?<=\})\s+(?=\{)/);
const key = createHmac('sha256', JSON.parse(first).d).update('muster grpc calls').digest();
console.log(`${name}.${createHmac('sha256', key).update(name).digest('base64url')}`);
