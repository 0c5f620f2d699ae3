/** Values that the chart refuses, with the reason that its user reads. */
export const refusals = [
  ['an unknown key', ['--set', 'foo=1'], /additional properties 'foo' not allowed/],
  [
    'an unknown key of a service',
    ['--set', 'queue.replica=1'],
    /additional properties 'replica' not allowed/,
  ],
  [
    'an unknown key below',
    ['--set', 'metrics.rules.enable=true'],
    /additional properties 'enable' not allowed/,
  ],
  ['a text where a number belongs', ['--set-string', 'queue.replicas=2'], /queue\/replicas.*want integer/],
  ['a number where a text belongs', ['--set', 'image.tag=1'], /image\/tag.*want string/],
  ['an unknown way of scaling', ['--set', 'rating.autoscaling.kind=both'], /rating\/autoscaling\/kind/],
  ['KEDA for the edge', ['--set', 'edge.autoscaling.kind=keda'], /edge\/autoscaling\/kind/],
  ['a lower-case name of a setting', ['--set', 'env.tick=1'], /'tick' does not match pattern/],
  [
    'a setting `no` without quotes',
    ['--set', 'env.DATABASE_LIMITS=false'],
    /env\/DATABASE_LIMITS.*want number or string/,
  ],
  ['null in place of a list', ['--set', 'extraEnv=null'], /missing property 'extraEnv'/],
  ['null in place of a service', ['--set', 'rating=null'], /missing property 'rating'/],
  ['a realm that the services refuse', ['--set', 'realm=EU'], /realm.*does not match pattern/],
  ['a port that is none', ['--set', 'edge.service.port=0'], /edge\/service\/port/],
  [
    'KEDA without Prometheus',
    ['--set', 'rating.autoscaling.kind=keda'],
    /keda\.prometheusAddress: `autoscaling\.kind: keda` needs the address of Prometheus/,
  ],
  [
    'fewer replicas at most than at least',
    ['--set', 'rating.autoscaling.kind=hpa', '--set', 'rating.autoscaling.maxReplicas=1'],
    /rating\.autoscaling: minReplicas 2 is more than maxReplicas 1/,
  ],
  ['an ingress without a host', ['--set', 'ingress.enabled=true'], /ingress\.hosts: name at least one host/],
  [
    'an ingress without an edge',
    ['--set', 'ingress.enabled=true', '--set', 'ingress.hosts={a}', '--set', 'edge.enabled=false'],
    /the ingress of this chart leads to the edge/,
  ],
  [
    'a drain that the grace period does not know',
    ['--set', 'env.DRAIN_PAUSE_MS=60000'],
    /env: DRAIN_PAUSE_MS is set by drain\.pauseMs/,
  ],
  [
    'a port that the Services do not know',
    ['--set', 'rating.extraEnv[0].name=HTTP_PORT', '--set-string', 'rating.extraEnv[0].value=1'],
    /extraEnv: HTTP_PORT is set by the chart/,
  ],
];
