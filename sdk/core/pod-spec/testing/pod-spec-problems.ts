import { orchProfile, Vendor } from '../../../plugin/vendor.js'
import { schemaErrors } from '../../../testing/schema-errors.js'
import { Pod } from '../../pod.js'
import type { PodSpec } from '../../pod-spec.js'
import { validatePodSpec } from '../validate-pod-spec.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' })
/** A valid container, which tests change. */
export const container = { name: 'c', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' }
const base = { containers: [container], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' }

/** The errors of a minimal spec with these changes. */
export function problems(change: object): string[] {
  const spec = { ...structuredClone(base), ...change } as PodSpec
  const found = [...schemaErrors(Pod, { spec }), ...validatePodSpec(spec, 'spec', { podName: 'p', vendor })]
  return found.map(({ field, type }) => `${field} ${type.slice(10)}`)
}
/** A spec with one container that differs from the usual one. */
export const withContainer = (change: object) => ({ containers: [{ ...container, ...change }] })
