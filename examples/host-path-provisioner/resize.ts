import { compareAmountTexts } from 'orch/sdk/core'
import type { Context } from './context.js'
import type { Claim } from './objects.js'

const resizing = 'Resizing'
type Condition = NonNullable<NonNullable<Claim['status']>['conditions']>[number]

/** Resizes the volume of a claim that requests more storage. A folder has no size, so only the objects change. */
export async function resize(claim: Claim, context: Context): Promise<void> {
  const { names, provisioner, volumes, claims, events } = context
  const wanted = claim.spec.resources?.requests?.['storage'] ?? '0'
  const given = claim.status?.capacity?.['storage'] ?? '0'
  if (claim.status?.phase !== 'Bound' || compareAmountTexts(wanted, given) <= 0) return
  const volume = context.findVolume(claim.spec.volumeName ?? '')
  if (volume?.metadata.annotations?.[names.provisionedBy] !== provisioner) return
  // The condition shows progress, or that a resize was interrupted.
  const started = await withConditions(claims, claim, [{ type: resizing, status: 'True', lastTransitionTime: now() }])
  if (compareAmountTexts(volume.spec.capacity?.['storage'] ?? '0', wanted) < 0)
    await volumes.update({ ...volume, spec: { ...volume.spec, capacity: { storage: wanted } } })
  await withConditions(claims, { ...started, status: { ...started.status, capacity: { storage: wanted } } }, [])
  await events.record(claim, 'Normal', 'VolumeResizeSuccessful', `Resize volume succeeded: ${wanted}`)
}

const now = () => `${new Date().toISOString().slice(0, 19)}Z`

/** Writes the status with its conditions about resizing replaced. */
function withConditions(claims: Context['claims'], claim: Claim, conditions: readonly Condition[]) {
  const others = (claim.status?.conditions ?? []).filter(({ type }) => type !== resizing)
  const status = { ...claim.status, conditions: [...others, ...conditions] }
  return claims.updateSubresource('status', { ...claim, status })
}
