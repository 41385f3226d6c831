import { rm } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { isObjectNotFound } from 'orch/sdk/client'
import type { Context } from './context.js'
import type { Volume } from './objects.js'

/** Removes a released volume of this provisioner, folder first, so that a failed removal is retried. */
export async function remove(volume: Volume, { names, provisioner, root, volumes }: Context): Promise<void> {
  const { metadata, spec, status } = volume
  const isOurs = metadata.annotations?.[names.provisionedBy] === provisioner
  if (!isOurs || status?.phase !== 'Released' || spec.persistentVolumeReclaimPolicy !== 'Delete') return
  const name = metadata.name ?? ''
  const path = resolve(spec.hostPath?.path ?? '')
  // A user who may write volumes must not be able to make us delete other folders.
  if (dirname(path) !== resolve(root) || basename(path) !== name || !name.startsWith('pvc-'))
    throw new Error(`volume ${name} names ${path}, which is not a folder of this provisioner`)
  await rm(path, { recursive: true, force: true })
  try {
    await volumes.delete(name, metadata.uid ? { preconditions: { uid: metadata.uid } } : {})
  } catch (error) {
    if (!isObjectNotFound(error)) throw error
  }
}
