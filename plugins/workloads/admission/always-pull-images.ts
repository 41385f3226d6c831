import { type AdmissionRequest, defineAdmission, reject } from 'orch/sdk'
import type { Container, Pod, PodSpec } from 'orch/sdk/core'

const always = 'Always'

/** Images are pulled each time, so that a Pod cannot use a private image that another Pod left on the node. */
export const alwaysPullImages = defineAdmission<Pod>()({
  name: 'AlwaysPullImages',
  after: ['NodeRestriction', 'TaintNodesByCondition'],
  phase: 'both',
  sideEffects: 'none',
  enabledByDefault: false,
  matches: { group: '', resource: 'pods', operations: ['create', 'update'] },
  review(request, _, phase) {
    // Pods from before the control was enabled can still be labelled and cleaned up.
    if (addsNoImage(request)) return
    const { spec } = request.object
    const containers = containersOf(spec)
    const volumes = spec.volumes ?? []
    if (phase === 'mutate') {
      for (const container of containers) container.imagePullPolicy = always
      for (const { image } of volumes) if (image) image.pullPolicy = always
      return
    }
    const violating = containers.find(({ imagePullPolicy }) => imagePullPolicy !== always)
    if (violating) return reject(`container "${violating.name}": imagePullPolicy must be ${always}`)
    const volume = volumes.find(({ image }) => image && image.pullPolicy !== always)
    if (volume) return reject(`volume "${volume.name}": image.pullPolicy must be ${always}`)
  },
})

const containersOf = (spec: PodSpec): Container[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
]

function addsNoImage({ operation, object, oldObject }: AdmissionRequest<Pod>): boolean {
  if (operation !== 'update') return false
  const known = new Set(containersOf(oldObject.spec).map(({ image }) => image))
  return containersOf(object.spec).every(({ image }) => known.has(image))
}
