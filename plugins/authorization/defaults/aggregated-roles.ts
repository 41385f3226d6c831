import type { Vendor } from 'orch/sdk'
import type { PolicyRule } from '../rules/schema.js'
import { type DefaultRole, defaultGroups, on, read, role, write } from './default-role.js'

/** The roles for people inside a namespace. They collect the rules of every role that carries their label, so that a plugin can add to them. */
export function aggregatedRoles(vendor: Vendor): DefaultRole[] {
  const { apps, authorization, autoscaling, batch, core, discovery, extensions, networking, policy, rbac } =
    defaultGroups(vendor)
  const into = (name: string) => ({ [`${rbac}/aggregate-to-${name}`]: 'true' })
  const part = (name: string, rules: PolicyRule[]) => ({
    ...role(`system:aggregate-to-${name}`, rules),
    labels: into(name),
  })
  return [
    { name: 'admin', rules: [], collects: into('admin') },
    { name: 'edit', rules: [], labels: into('admin'), collects: into('edit') },
    { name: 'view', rules: [], labels: into('edit'), collects: into('view') },
    part('admin', [
      on(authorization, 'localsubjectaccessreviews', 'create'),
      on(rbac, 'rolebindings roles', 'create delete deletecollection get list patch update watch'),
    ]),
    part('edit', [
      on(core, 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy', read),
      on(core, 'serviceaccounts', 'impersonate'),
      on(core, 'pods pods/attach pods/exec pods/portforward pods/proxy', write),
      on(
        core,
        'configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
        write,
      ),
      on(
        apps,
        'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
        write,
      ),
      on(autoscaling, 'horizontalpodautoscalers', write),
      on(batch, 'cronjobs jobs', write),
      on(
        extensions,
        'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
        write,
      ),
      on(policy, 'poddisruptionbudgets', write),
      on(networking, 'ingresses networkpolicies', write),
    ]),
    part('view', [
      on(
        core,
        'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
        read,
      ),
      on(
        core,
        'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
        read,
      ),
      on(core, 'namespaces', read),
      on(discovery, 'endpointslices', read),
      on(
        apps,
        'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
        read,
      ),
      on(autoscaling, 'horizontalpodautoscalers horizontalpodautoscalers/status', read),
      on(batch, 'cronjobs cronjobs/status jobs jobs/status', read),
      on(
        extensions,
        'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
        read,
      ),
      on(policy, 'poddisruptionbudgets poddisruptionbudgets/status', read),
      on(networking, 'ingresses ingresses/status networkpolicies', read),
    ]),
  ]
}
