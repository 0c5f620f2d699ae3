import { Metadata, ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';
import { traceHeaders, type OpenSpan, type Traces } from '@muster/contracts';

/** The metadata of a call that carry the active trace, if there is one. */
export function traceMetadata(traces: Traces | null): Metadata {
  const metadata = new Metadata();
  const active = traces?.active;
  if (active)
    for (const [name, value] of Object.entries(traceHeaders(active.context))) metadata.set(name, value);
  return metadata;
}

/** Makes answers of a server spans of the trace that a call carries. */
export function tracedAnswers(traces: Traces): ServerInterceptor {
  return ({ path }, call) => {
    let span: OpenSpan | undefined;
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, go) => {
            const [traceparent] = metadata.get('traceparent');
            const [tracestate] = metadata.get('tracestate');
            if (typeof traceparent === 'string') {
              const parent = [traceparent, tracestate].filter(Boolean).join(' ');
              span = traces.begin(path.slice(1), {
                kind: 'server',
                parent,
                attributes: { 'rpc.system': 'grpc' },
              });
            }
            go(metadata);
          },
          // A handler begins when the request is complete.
          onReceiveHalfClose: (go) => (span ? traces.within(span, go) : go()),
        }),
      sendStatus: (status, next) => {
        span?.note({ 'rpc.grpc.status_code': status.code ?? 0 });
        span?.end();
        next(status);
      },
    });
  };
}
