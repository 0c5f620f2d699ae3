// Loaded into each service by `--import`: counts the requests of its HTTP/2 clients, which are its gRPC calls, and
// writes the number to a file. Node has no counter of its own for them.
import { writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const folder = process.env.GRPC_COUNTS;
let calls = 0;
let written = 0;

const { connect } = http2;
http2.connect = (...args) => {
  const session = connect(...args);
  const { request } = session;
  session.request = (...parts) => {
    calls++;
    return request.apply(session, parts);
  };
  return session;
};
syncBuiltinESMExports();

setInterval(() => {
  if (folder && calls !== written)
    writeFileSync(join(folder, String(process.pid)), String((written = calls)));
}, 200).unref();
