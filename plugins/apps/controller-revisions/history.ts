import { ApiError, type ApiObject, type Vendor } from 'orch/sdk'
import { type ResourceClient, unlessLost } from 'orch/sdk/client'
import { controllerOf, controllerReference } from 'orch/sdk/controllers'
import type { PodTemplateSpec } from 'orch/sdk/core'
import { canonicalJson, shortHash } from '../template-hash.js'
import type { ControllerRevision } from './schema.js'

export type StoredRevision = ApiObject & ControllerRevision

/** An owner with a template history. */
export interface RevisedOwner extends ApiObject {
  spec?: { template?: PodTemplateSpec; revisionHistoryLimit?: number }
  status?: { collisionCount?: number }
}
/** The location of revisions, and the label with their hash. */
export interface RevisionKeeper {
  readonly revisions: ResourceClient<StoredRevision>
  readonly hashLabel: string
}

/** Labels that name revisions: on revisions of stateful sets, and on Pods and revisions of daemon sets. */
export const revisionLabels = (vendor: Vendor) => ({
  ofStatefulSet: vendor.qualify('hash', 'controller'),
  ofPod: 'controller-revision-hash',
})

const dataOf = (template: PodTemplateSpec = {}) => ({ spec: { template: { ...template, $patch: 'replace' } } })
/** The template of a revision. */
export function templateOf({ data }: StoredRevision): PodTemplateSpec {
  const stored = (data ?? {}) as { spec?: { template?: PodTemplateSpec & { $patch?: string } } }
  const { $patch: _, ...template } = stored.spec?.template ?? {}
  return template
}

const inOrder = (a: StoredRevision, b: StoredRevision) =>
  a.revision - b.revision || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1)

/**
 * The revision of the current template, and all revisions in order. The revision of an earlier template gets the
 * highest number again; a new template gets a new revision.
 */
export async function syncRevision(
  { revisions, hashLabel }: RevisionKeeper,
  owner: RevisedOwner,
  known: readonly StoredRevision[],
): Promise<{ current: StoredRevision; all: StoredRevision[] }> {
  const all = [...known].sort(inOrder)
  const data = dataOf(owner.spec?.template)
  const last = all.at(-1)
  const same = all.filter(revision => canonicalJson(revision.data) === canonicalJson(data)).at(-1)
  if (same && same === last) return { current: same, all }
  const revision = (last?.revision ?? 0) + 1
  if (same) {
    const renewed = await revisions.update({ ...same, revision })
    return { current: renewed, all: [...all.filter(one => one !== same), renewed] }
  }
  const hash = shortHash(data, owner.status?.collisionCount)
  const name = `${owner.metadata.name}-${hash}`
  const made = await createOrFind(revisions, {
    metadata: {
      name,
      namespace: owner.metadata.namespace ?? '',
      labels: { ...owner.spec?.template?.metadata?.labels, [hashLabel]: hash },
      ownerReferences: [controllerReference(owner)],
    },
    revision,
    data,
  })
  return { current: made, all: [...all, made] }
}

async function createOrFind(
  revisions: ResourceClient<StoredRevision>,
  revision: StoredRevision,
): Promise<StoredRevision> {
  try {
    return await revisions.create(revision)
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error
    const found = await revisions.in(revision.metadata.namespace ?? '').get(revision.metadata.name ?? '')
    // One of the same name may belong to a set of another kind that has the same template.
    const isOurs = controllerOf(found)?.uid === controllerOf(revision)?.uid
    if (isOurs && canonicalJson(found.data) === canonicalJson(revision.data)) return found
    throw new NameTaken(revision.metadata.name ?? '')
  }
}
/** Another template has the same hash, or another owner the same template: the owner counts a collision and retries. */
export class NameTaken extends Error {
  constructor(name: string) {
    super(`the name ${name} is taken by the revision of another template`)
    this.name = 'NameTaken'
  }
}

/** Deletes the oldest unused revisions, beyond those that are kept for rollback. */
export async function dropRevisions(
  { revisions }: RevisionKeeper,
  owner: RevisedOwner,
  all: readonly StoredRevision[],
  isUsed: (revision: StoredRevision) => boolean,
): Promise<void> {
  const unused = all.filter(revision => !isUsed(revision) && !revision.metadata.deletionTimestamp).sort(inOrder)
  const limit = owner.spec?.revisionHistoryLimit ?? 10
  for (const { metadata } of unused.slice(0, Math.max(0, unused.length - limit)))
    await unlessLost(
      revisions
        .in(metadata.namespace ?? '')
        .delete(metadata.name ?? '', { preconditions: { uid: metadata.uid ?? '' } }),
      'NotFound',
      'Conflict',
    )
}
