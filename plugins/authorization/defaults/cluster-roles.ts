import type { Vendor } from 'orch/sdk'
import type { PolicyRule } from '../rules/schema.js'
import type { DefaultRole } from './default-role.js'
import { readRoleTable } from './role-table.js'

/** Roles for users, and for access that everybody has. */
const systemRoles = `
cluster-admin
  *                              | *               | *
  *                              | paths           | *
system:auth-delegator
  create                         | authentication  | tokenreviews
  create                         | authorization   | subjectaccessreviews
system:basic-user
  create                         | authorization   | selfsubjectaccessreviews selfsubjectrulesreviews
  create                         | authentication  | selfsubjectreviews @1.27
system:{certificates}:certificatesigningrequests:nodeclient
  create                         | certificates    | certificatesigningrequests/nodeclient
system:{certificates}:certificatesigningrequests:selfnodeclient
  create                         | certificates    | certificatesigningrequests/selfnodeclient
system:{certificates}:{signer:client}-approver
  approve                        | certificates    | signers | {vendorSigner:client}
system:{certificates}:{signer:nodeAgentClient}-approver
  approve                        | certificates    | signers | {vendorSigner:nodeAgentClient}
system:{certificates}:{signer:nodeAgentServing}-approver
  approve                        | certificates    | signers | {vendorSigner:nodeAgentServing}
system:{certificates}:{signer:legacyUnknown}-approver
  approve                        | certificates    | signers | {vendorSigner:legacyUnknown}
system:discovery
  get                            | paths           | /api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/
system:monitoring
  get                            | paths           | /healthz /healthz/* /livez /livez/* /metrics /readyz /readyz/*
  get                            | paths           | /metrics/slis @1.26
  get                            | paths           | /flagz /statusz @1.36
  get                            | core            | nodes/metrics @1.34
system:public-info-viewer
  get                            | paths           | /healthz /livez /readyz /version /version/
system:service-account-issuer-discovery
  get                            | paths           | /.well-known/openid-configuration /openid/v1/jwks
  get                            | paths           | /.well-known/openid-configuration/ /openid/v1/jwks/ @1.28
`

/** The rules that the roles for users of a namespace start with; each set is aggregated into the role in its name. */
const aggregatedRoles = `
system:aggregate-to-admin
  create                         | authorization   | localsubjectaccessreviews
  readwrite                      | rbac            | rolebindings roles
system:aggregate-to-edit
  read                           | core            | pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy
  impersonate                    | core            | serviceaccounts
  write                          | core            | pods pods/attach pods/exec pods/portforward pods/proxy
  write                          | core            | configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy
  write                          | apps            | daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale
  write                          | autoscaling     | horizontalpodautoscalers
  write                          | batch           | cronjobs jobs
  write                          | extensions      | daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale
  write                          | policy          | poddisruptionbudgets
  write                          | networking      | ingresses networkpolicies
  create                         | core            | pods/eviction serviceaccounts/token @1.24
  readwrite                      | coordination    | leases @1.24
  write                          | resource        | resourceclaims resourceclaimtemplates @1.34
  write                          | events          | events @1.35
system:aggregate-to-view
  read                           | core            | configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status
  read                           | core            | bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status
  read                           | core            | namespaces
  read                           | discovery       | endpointslices
  read                           | apps            | controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status
  read                           | autoscaling     | horizontalpodautoscalers horizontalpodautoscalers/status
  read                           | batch           | cronjobs cronjobs/status jobs jobs/status
  read                           | extensions      | daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale
  read                           | policy          | poddisruptionbudgets poddisruptionbudgets/status
  read                           | networking      | ingresses ingresses/status networkpolicies
  read                           | resource        | resourceclaims resourceclaims/status resourceclaimtemplates @1.34
  read                           | events          | events @1.35
`

/**
 * For the components around the server: nodes, scheduler, controller manager, DNS. The Node mode narrows the rights of
 * nodes.
 */
const componentRoles = `
system:heapster
  read                           | core            | events namespaces nodes pods
  read                           | extensions      | deployments
system:{aggregator}
  read                           | core            | endpoints services
{user:controllerManager}
  create patch update            | core events     | events
  create                         | coordination    | leases
  get update                     | coordination    | leases | {controllerManager}
  create                         | core            | endpoints @..1.27
  get update                     | core            | endpoints | {controllerManager} @..1.27
  create                         | core            | secrets serviceaccounts
  delete                         | core            | secrets
  get                            | core            | configmaps namespaces secrets serviceaccounts
  update                         | core            | secrets serviceaccounts
  create                         | authentication  | tokenreviews
  create                         | authorization   | subjectaccessreviews
  list watch                     | *               | *
  create                         | core            | serviceaccounts/token
system:{dns}
  list watch                     | core            | endpoints services
{user:scheduler}
  create patch update            | core events     | events
  create                         | coordination    | leases
  get update                     | coordination    | leases | {scheduler}
  create                         | core            | endpoints @..1.27
  get update                     | core            | endpoints | {scheduler} @..1.27
  read                           | core            | nodes
  delete get list watch          | core            | pods
  create                         | core            | bindings pods/binding
  patch update                   | core            | pods/status
  read                           | core            | replicationcontrollers services
  read                           | apps extensions | replicasets
  read                           | apps            | statefulsets
  read                           | policy          | poddisruptionbudgets
  read                           | core            | persistentvolumeclaims persistentvolumes
  create                         | authentication  | tokenreviews
  create                         | authorization   | subjectaccessreviews
  read                           | storage         | csinodes
  read                           | core            | namespaces
  read                           | storage         | csidrivers
  read                           | storage         | csistoragecapacities
  list watch                     | coordination    | leases | {scheduler} @1.31
  readwrite                      | coordination    | leasecandidates @1.31
  read                           | storage         | volumeattachments @1.32
  update                         | core            | pods/finalizers @1.34
  read                           | resource        | deviceclasses resourceslices @1.34
  get list patch update watch    | resource        | resourceclaims resourceclaims/status @1.34
  create delete                  | resource        | resourceclaims @1.36
  patch update                   | resource        | resourceclaims/binding @1.36
system:{nodeAgent}-api-admin
  read                           | core            | nodes
  proxy                          | core            | nodes
  *                              | core            | nodes/log nodes/metrics nodes/proxy nodes/stats
  *                              | core            | nodes/spec @..1.26
  *                              | core            | nodes/configz nodes/healthz nodes/pods @1.33
system:node
  create                         | authentication  | tokenreviews
  create                         | authorization   | localsubjectaccessreviews subjectaccessreviews
  read                           | core            | services
  create get list watch          | core            | nodes
  patch update                   | core            | nodes/status
  patch update                   | core            | nodes
  create patch update            | core            | events
  read                           | core            | pods
  create delete                  | core            | pods
  patch update                   | core            | pods/status
  create                         | core            | pods/eviction
  read                           | core            | configmaps secrets
  get                            | core            | persistentvolumeclaims persistentvolumes
  get                            | core            | endpoints
  create get list watch          | certificates    | certificatesigningrequests
  create delete get patch update | coordination    | leases
  get                            | storage         | volumeattachments
  create                         | core            | serviceaccounts/token
  get patch update               | core            | persistentvolumeclaims/status
  read                           | storage         | csidrivers
  create delete get patch update | storage         | csinodes
  read                           | node            | runtimeclasses
  get                            | core            | serviceaccounts @1.34
  get                            | resource        | resourceclaims @1.34
  deletecollection               | resource        | resourceslices @1.34
  create patch update            | events          | events @1.35
system:node-bootstrapper
  create get list watch          | certificates    | certificatesigningrequests
system:node-problem-detector
  get                            | core            | nodes
  patch                          | core            | nodes/status
  create patch update            | core events     | events
system:node-proxier
  list watch                     | core            | endpoints services
  read                           | core            | nodes
  create patch update            | core events     | events
  list watch                     | discovery       | endpointslices
  list watch                     | networking      | servicecidrs @1.33
system:persistent-volume-provisioner
  create delete get list watch   | core            | persistentvolumes
  get list update watch          | core            | persistentvolumeclaims
  read                           | storage         | storageclasses
  watch                          | core            | events
  create patch update            | core events     | events
system:volume-scheduler
  get list patch update watch    | core            | persistentvolumes
  read                           | storage         | storageclasses
  get list patch update watch    | core            | persistentvolumeclaims
`

/** The cluster roles that exist from the first start, except those of control loops. */
export function clusterRoles(vendor: Vendor): DefaultRole[] {
  const into = (name: string) => ({ [`${vendor.group('rbac.authorization')}/aggregate-to-${name}`]: 'true' })
  return [
    ...readRoleTable(systemRoles, vendor),
    // They collect the rules of every role that carries their label, so that a plugin can add to them.
    { name: 'admin', rules: [], collects: into('admin') },
    { name: 'edit', rules: [], labels: into('admin'), collects: into('edit') },
    { name: 'view', rules: [], labels: into('edit'), collects: into('view') },
    ...readRoleTable(aggregatedRoles, vendor).map(role => ({
      ...role,
      labels: into(role.name.replace('system:aggregate-to-', '')),
    })),
    ...readRoleTable(componentRoles, vendor),
  ]
}

/** Everything a node agent may need; the Node mode narrows secrets, volumes, leases and the like to the node's own. */
export const nodeRules = (vendor: Vendor): PolicyRule[] =>
  clusterRoles(vendor).find(({ name }) => name === 'system:node')?.rules ?? []
