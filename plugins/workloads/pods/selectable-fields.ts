import type { Pod } from 'orch/sdk'

const nodeName = ({ spec }: Pod) => spec.nodeName ?? ''

/** Fields of Pods that field selectors may use. */
export const selectableFields = {
  'spec.nodeName': nodeName,
  // What clients of the first versions call it.
  'spec.host': nodeName,
  'spec.restartPolicy': ({ spec }: Pod) => spec.restartPolicy ?? '',
  'spec.schedulerName': ({ spec }: Pod) => spec.schedulerName ?? '',
  'spec.serviceAccountName': ({ spec }: Pod) => spec.serviceAccountName ?? '',
  'status.phase': ({ status }: Pod) => status?.phase ?? '',
  'status.podIP': ({ status }: Pod) => status?.podIP ?? '',
  // Nobody can be selected by it; clients that ask get nothing rather than an error.
  'status.podIPs': () => '',
  'status.nominatedNodeName': ({ status }: Pod) => status?.nominatedNodeName ?? '',
}
