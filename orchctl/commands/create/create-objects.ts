import {
  dryRunFlag,
  fieldManagerFlag,
  objectFormats,
  outputFlag,
  showManagedFieldsFlag,
} from '../../arguments/shared-flags.js'
import type { Call } from '../../command.js'
import { exitCodes } from '../../exit-codes.js'
import { forEach } from '../../objects/for-each.js'
import { placeObject } from '../../objects/place-object.js'
import type { Manifest } from '../../objects/read-manifests.js'
import { objectName } from '../../output/print-objects.js'
import { writtenPrinter } from '../../output/written.js'
import { UsageError } from '../../usage-error.js'

/** Options of everything that creates. */
export const createFlags = [dryRunFlag, fieldManagerFlag, outputFlag(objectFormats), showManagedFieldsFlag]

/** Creates objects where they belong and tells of each. Returns the exit code. */
export async function createObjects(call: Call, manifests: readonly Manifest[]): Promise<number> {
  const { flags, world } = call
  const session = await call.session()
  const kinds = await session.kinds()
  const isLocal = isClientDryRun(call)
  const print = writtenPrinter(call, isLocal)
  const { cli } = (await session.vendor()).profile
  const fieldManager = flags.text('field-manager') ?? `${cli}-create`
  const labelled = manifests.map(manifest => ({ ...manifest, label: manifest.origin }))
  return forEach(labelled, world, async manifest => {
    const { object, collection, kind } = placeObject(manifest, kinds, session, flags)
    const made = isLocal ? object : await collection.create(object, { dryRun: flags.is('dry-run'), fieldManager })
    print({ label: objectName(kind, made.metadata.name || '<unknown>'), kind }, 'created', made)
  })
}

/** Shows what would be sent and sends nothing. What is built from flags alone needs no server then. */
const isClientDryRun = ({ flags }: Call) => flags.text('dry-run') === 'client'

/** Creates one object of the core group, named by the one word there is. */
export async function createNamed(call: Call, kind: string, fields: object = {}, words = call.words): Promise<number> {
  const [name, ...more] = words
  if (name === undefined || more.length > 0)
    throw new UsageError(`name one ${kind}, and nothing else: orchctl create ${kind.toLowerCase()} NAME`)
  const object = { apiVersion: 'v1', kind, metadata: { name }, ...fields }
  const label = `${kind.toLowerCase()}/${name}`
  if (!isClientDryRun(call)) return createObjects(call, [{ object, origin: label }])
  writtenPrinter(call, true)({ label }, 'created', object)
  return exitCodes.done
}
