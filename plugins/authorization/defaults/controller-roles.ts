import type { Vendor } from 'orch/sdk'
import type { DefaultRole } from './default-role.js'
import { readRoleTable } from './role-table.js'

/** Control loops of the reference that no plugin implements. Each runs as the service account of the same name. */
const otherLoops = `
system:controller:attachdetach-controller
  list watch                      | core            | persistentvolumeclaims persistentvolumes
  read                            | core            | nodes
  patch update                    | core            | nodes/status
  list watch                      | core            | pods
  create patch update             | core events     | events
  create delete get list watch    | storage         | volumeattachments
  read                            | storage         | csidrivers
  read                            | storage         | csinodes
system:controller:expand-controller
  get list patch update watch     | core            | persistentvolumes
  patch update                    | core            | persistentvolumeclaims/status
  read                            | core            | persistentvolumeclaims
  read                            | storage         | storageclasses @..1.31
  get                             | core            | endpoints secrets @..1.31
  get                             | core            | services @..1.35
  create patch update             | core events     | events
system:controller:node-controller
  delete get list patch update    | core            | nodes
  patch update                    | core            | nodes/status
  update                          | core            | pods/status
  delete list                     | core            | pods
  create patch update             | core events     | events
  get                             | core            | pods @1.26
  patch                           | core            | pods/status @1.26
  create get list update          | networking      | clustercidrs @1.25..1.29
  watch                           | core            | nodes pods @1.32
system:controller:pod-garbage-collector
  delete list watch               | core            | pods
  get list                        | core            | nodes
  patch                           | core            | pods/status @1.26
  watch                           | core            | nodes @1.32
system:controller:route-controller
  list watch                      | core            | nodes
  patch                           | core            | nodes/status
  create patch update             | core events     | events
system:controller:service-controller
  read                            | core            | services
  patch update                    | core            | services/status
  list watch                      | core            | nodes
  create patch update             | core events     | events
system:controller:ttl-controller
  list patch update watch         | core            | nodes
  create patch update             | core events     | events
system:controller:selinux-warning-controller @1.33
  create patch update             | core events     | events
  read                            | core            | persistentvolumeclaims persistentvolumes pods
  read                            | storage         | csidrivers
`

/**
 * Grants of later versions of the reference to loops that plugins implement, beside the rules that these declare
 * (`declared-roles`): ours may need fewer.
 */
const laterGrants = `
system:controller:cronjob-controller
  watch                           | core            | pods @1.32
system:controller:disruption-controller
  patch update                    | core            | pods/status @1.26
system:controller:endpoint-controller
  watch                           | core            | endpoints @1.32
system:controller:endpointslice-controller
  watch                           | discovery       | endpointslices @1.32
system:controller:endpointslicemirroring-controller
  watch                           | discovery       | endpointslices @1.32
system:controller:horizontal-pod-autoscaler
  get list                        | externalMetrics | * @1.24
  watch                           | core            | pods @1.32
  watch                           | metrics         | pods @1.32
  watch                           | customMetrics externalMetrics | * @1.32
system:controller:namespace-controller
  watch                           | *               | * @1.32
system:controller:persistent-volume-binder
  watch                           | core            | nodes @1.32
system:controller:pvc-protection-controller
  update                          | core            | persistentvolumeclaims/status @1.36
system:controller:statefulset-controller
  delete update                   | core            | persistentvolumeclaims @1.27
  list watch                      | core            | persistentvolumeclaims @1.28
  update                          | core            | pods/finalizers @1.28
system:controller:validatingadmissionpolicy-status-controller @1.30
  create patch update             | core events     | events
system:controller:service-cidrs-controller @1.33
  create patch update             | core events     | events
  read                            | networking      | ipaddresses
  get list patch update watch     | networking      | servicecidrs
  patch update                    | networking      | servicecidrs/finalizers servicecidrs/status
system:controller:resource-claim-controller @1.34
  create patch update             | core events     | events
  read                            | core            | pods
  update                          | core            | pods/finalizers
  patch update                    | core            | pods/status
  create delete get list patch update watch | resource | resourceclaims
  patch update                    | resource        | resourceclaims/status
  patch update                    | resource        | resourceclaims/binding @1.36
system:controller:volumeattributesclass-protection-controller @1.34
  create patch update             | core events     | events
  read                            | core            | persistentvolumeclaims persistentvolumes
  get list update watch           | storage         | volumeattributesclasses
system:controller:device-taint-eviction-controller @1.36
  create patch update             | core events     | events
  delete get list watch           | core            | pods
  patch update                    | core            | pods/status
  read                            | resource        | deviceclasses resourceclaims resourceslices
`

/** Cluster roles for control loops of the reference. Loops of plugins declare their rules themselves. */
export const controllerRoles = (vendor: Vendor): DefaultRole[] =>
  // A role without rules at the served version does not exist there.
  readRoleTable(otherLoops + laterGrants, vendor).filter(({ rules }) => rules.length > 0)
