import type { Pod } from 'orch/sdk'
import { defaultPod } from '../pod-spec/defaults.js'

/** Fills what depends on other fields of the Pod. */
export function fillPod(pod: Pod): void {
  defaultPod(pod.spec)
  alignAddresses(pod)
}

/** The first of `podIPs` is `podIP`, whichever of the two was written. */
function alignAddresses({ status }: Pod): void {
  if (status === undefined) return
  const { podIP, podIPs = [] } = status
  if (podIP && podIPs[0]?.ip !== podIP) status.podIPs = [{ ip: podIP }]
  else if (!podIP && podIPs[0]?.ip) status.podIP = podIPs[0].ip
}
