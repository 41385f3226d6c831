import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import { classOf } from '../volume-class.js'
import { type BindingContext, inform, warn } from './binding-context.js'
import { annotated } from './binding-state.js'

/** Requests a volume from the provisioner of the claim's class, which watches claims for its annotation. */
export async function requestVolume(context: BindingContext, claim: PersistentVolumeClaim): Promise<void> {
  const { names, claims } = context
  const className = classOf(claim, names)
  const storageClass = context.storageClass(className)
  if (!storageClass) {
    await warn(context, claim, 'ProvisioningFailed', `storageclass.${names.group} "${className}" not found`)
    return
  }
  const { provisioner } = storageClass
  if (provisioner.startsWith(names.ownProvisionerPrefix)) {
    await warn(context, claim, 'ProvisioningFailed', `no volume plugin matched name: ${provisioner}`)
    return
  }
  const isRequested = names.provisionerAnnotations.every(name => claim.metadata?.annotations?.[name] === provisioner)
  if (!isRequested) {
    const wanted = names.provisionerAnnotations.map(name => [name, provisioner])
    await claims.update(annotated(claim, Object.fromEntries(wanted)))
  }
  await inform(
    context,
    claim,
    'ExternalProvisioning',
    `waiting for a volume to be created, either by external provisioner "${provisioner}" or manually created by system administrator`,
  )
}
