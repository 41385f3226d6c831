import { type DeleteStrategy, defineResource, type IsGateEnabled, type ServedLevel, type Vendor } from 'orch/sdk'
import { isPodFinished } from 'orch/sdk/controllers'
import { defaultPod, Pod } from 'orch/sdk/core'
import { binding } from './binding.js'
import { columns, rowConditions } from './columns.js'
import { log, proxy } from './connections.js'
import { podGenerations, podsAreSelectedByNetwork, positiveGracePeriods } from './differences.js'
import { ephemeralContainersStrategy } from './ephemeral-containers-strategy.js'
import { resizeStrategy } from './resize-strategy.js'
import { statusStrategy } from './status-strategy.js'
import { mainStrategy } from './strategy.js'
import type { streamSubresources } from './streams.js'

const nodeName = ({ spec }: Pod) => spec.nodeName ?? ''

/** Fields of Pods that field selectors may use. */
const selectableFields = {
  'spec.nodeName': nodeName,
  // The name that clients of the first versions use.
  'spec.host': nodeName,
  'spec.restartPolicy': ({ spec }: Pod) => spec.restartPolicy ?? '',
  'spec.schedulerName': ({ spec }: Pod) => spec.schedulerName ?? '',
  'spec.serviceAccountName': ({ spec }: Pod) => spec.serviceAccountName ?? '',
  'status.phase': ({ status }: Pod) => status?.phase ?? '',
  'status.podIP': ({ status }: Pod) => status?.podIP ?? '',
  // Matches no Pod; clients get an empty list rather than an error.
  'status.podIPs': () => '',
  'status.nominatedNodeName': ({ status }: Pod) => status?.nominatedNodeName ?? '',
}

/** A Pod on a node is removed after its grace period, when its node agent confirms; others are removed immediately. */
const deletion = {
  answer: 'object',
  gracePeriodSeconds(stored, requested) {
    if ((stored.spec.nodeName ?? '') === '' || isPodFinished(stored)) return 0
    const seconds = requested ?? stored.spec.terminationGracePeriodSeconds ?? 0
    return seconds < 0 ? 1 : seconds
  },
} satisfies DeleteStrategy<Pod>

/** Sets defaults that depend on other fields of the Pod. */
function fillPod(pod: Pod, level: ServedLevel, isEnabled: IsGateEnabled): void {
  defaultPod(pod.spec, level, isEnabled)
  alignAddresses(pod)
  if ((pod.spec?.terminationGracePeriodSeconds ?? 0) < 0 && level.has(positiveGracePeriods))
    pod.spec.terminationGracePeriodSeconds = 1
}

/** Keeps `podIP` and the first of `podIPs` equal, whichever was written. */
function alignAddresses({ status }: Pod): void {
  if (status === undefined) return
  const { podIP, podIPs = [] } = status
  if (podIP && podIPs[0]?.ip !== podIP) status.podIPs = [{ ip: podIP }]
  else if (!podIP && podIPs[0]?.ip) status.podIP = podIPs[0].ip
}

export const pods = (vendor: Vendor, streams: ReturnType<typeof streamSubresources>) =>
  defineResource({
    group: '',
    kind: 'Pod',
    resource: 'pods',
    shortNames: ['po'],
    categories: ['all'],
    namespaced: true,
    versions: [{ name: 'v1', schema: Pod, defaults: fillPod }],
    ...(vendor.level.has(podGenerations) ? {} : { generation: false as const }),
    strategy: mainStrategy,
    deletion,
    subresources: {
      status: { kind: 'update', strategy: statusStrategy(vendor) },
      ephemeralcontainers: { kind: 'update', strategy: ephemeralContainersStrategy },
      resize: { kind: 'update', strategy: resizeStrategy, since: '1.32' },
      binding,
      ...streams,
      log,
      proxy,
    },
    selectableFields: vendor.level.has(podsAreSelectedByNetwork)
      ? { ...selectableFields, 'spec.hostNetwork': ({ spec }: Pod) => String(spec.hostNetwork ?? false) }
      : selectableFields,
    columns: columns(vendor.level),
    rowConditions,
  })
