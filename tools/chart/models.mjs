// Validates objects with the models of the Kubernetes API, KEDA and the Prometheus Operator.
import * as keda from '@kubernetes-models/keda/keda.sh/v1alpha1';
import * as operator from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';

const versions = new Map(
  Object.entries({
    v1: core,
    'apps/v1': apps,
    'autoscaling/v2': autoscaling,
    'batch/v1': batch,
    'networking.k8s.io/v1': networking,
    'policy/v1': policy,
    'keda.sh/v1alpha1': keda,
    'monitoring.coreos.com/v1': operator,
  }),
);

/** @throws Error for an object that its model refuses, or that has no model */
export function validate(object) {
  const Model = versions.get(object.apiVersion)?.[object.kind];
  if (!Model) throw new Error(`There is no model of ${object.apiVersion} ${object.kind}.`);
  new Model(object).validate();
}
